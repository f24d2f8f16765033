"""What the body of a request to one of our own routes holds."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse


async def read_object(request: Request) -> dict[str, Any] | JSONResponse:
    """The JSON object, or the refusal of a body that is none."""
    try:
        given = json.loads(await request.body())
    except ValueError:
        given = None
    return given if isinstance(given, dict) else JSONResponse({"detail": "the body is not a JSON object"}, 400)
