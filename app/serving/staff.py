"""Which callers of our routes are staff, and who they are."""

from typing import Any

from starlette.requests import Request

from wavegraph.app.serving.roles import STAFF
from wavegraph.app.serving.settings import has_access_control


def identity_of(request: Request) -> str:
    """Who calls; empty without an auth handler, which alone tells who calls."""
    return str(getattr(request.scope.get("user"), "identity", "")) if has_access_control() else ""


def is_staff(request: Request) -> bool:
    """Whether the caller is staff; without an auth handler everybody is, as on all of the server's routes.

    With one, a request that it was not shown (`enable_custom_route_auth` is off) is refused.
    """
    if not has_access_control():
        return True
    user: Any = request.scope.get("user")
    told: list[Any] = [getattr(request.scope.get("auth"), "scopes", None)]
    for name in ("role", "roles", "permissions"):
        try:
            told.append(user[name])
        except (KeyError, TypeError, AttributeError):
            told.append(getattr(user, name, None))
    return any(each == STAFF or (isinstance(each, list | tuple | set | frozenset) and STAFF in each) for each in told)
