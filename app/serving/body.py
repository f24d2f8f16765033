"""What the body of a request to one of our own routes holds."""

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from wavegraph.graph.errors import explain

_Body = TypeVar("_Body", bound=BaseModel)


async def read_body(request: Request, kind: type[_Body]) -> _Body | JSONResponse:
    """Or the reply to a body that is not a JSON object (400), or not of this kind (422)."""
    try:
        given = json.loads(await request.body())
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return JSONResponse({"detail": "the body is not a JSON object"}, 400)
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        return JSONResponse({"detail": explain(error)}, 422)
