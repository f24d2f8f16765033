"""The hotel with a language model behind it, as the server loads it beside the served one (see conftest.py)."""

import os

from wavegraph.graph.hotel import build

os.environ.update(OPENAI_BASE_URL=os.environ["MODEL_URL"], OPENAI_API_KEY=os.environ["MODEL_KEY"])
graph = build().compile(name="modelled")
for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):  # the graph has read them: no other may
    del os.environ[name]
