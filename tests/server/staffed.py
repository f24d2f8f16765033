"""The hotel of a house that leaves every booking to its staff, as the server loads it (see conftest.py)."""

import os

from wavegraph.graph.hotel import build

os.environ["WAVEGRAPH_APPROVER"] = "staff"
graph = build().compile(name="staffed")
del os.environ["WAVEGRAPH_APPROVER"]  # the graph has read it: the served hotel leaves it to the guest
