"""`auth.path` in langgraph.prod.json: access control as the environment says.

It is read when the server starts; without it, the server says what is missing and does not start.
"""

import os

from wavegraph.app.serving.access import access, users_of
from wavegraph.app.serving.roles import rules

_known = rules()
auth = access(users_of(os.environ, _known), _known)
