"""For the tests of a domain: models and planners that say what a test wrote down, a conversation with the agent in
memory, and a search for secrets that leaked. Nothing in it needs pytest.
"""

from wavegraph.testing.conversation import Conversation
from wavegraph.testing.leaks import Canaries, Collected, Leaked, Loopback, assert_no_leak, collecting
from wavegraph.testing.plans import call, planning, ref
from wavegraph.testing.scripted import ScriptedModel, ScriptedPlanner

__all__ = [
    "Canaries",
    "Collected",
    "Conversation",
    "Leaked",
    "Loopback",
    "ScriptedModel",
    "ScriptedPlanner",
    "assert_no_leak",
    "call",
    "collecting",
    "planning",
    "ref",
]
