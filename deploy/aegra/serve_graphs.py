"""The served graphs by name: Aegra loads files, not modules."""

from wavegraph.graph.hotel import graph as hotel
from wavegraph.graph.roster import graph as roster

__all__ = ["hotel", "roster"]
