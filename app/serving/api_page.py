"""Routes of our own as the server's API page tells of them: from the types of query and body.

The server reads the page of a route from the docstring of its function, as YAML, of which JSON is a part.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

Endpoint = Callable[[Request], Awaitable[Response]]
TEXT = {"type": "string"}


def described(
    path: str,
    endpoint: Endpoint,
    summary: str,
    description: str,
    *,
    tag: str,
    replies: Mapping[int, str],
    query: type[BaseModel] | None = None,
    body: type[BaseModel] | None = None,
) -> Route:
    """`replies`: what a status means. A route with a body is sent to (POST)."""

    @wraps(endpoint)
    async def route(request: Request) -> Response:
        return await endpoint(request)

    in_path = {name: _parameter(name, "path", TEXT, required=True) for name in re.findall(r"{(\w+)}", path)}
    in_query = {} if query is None else _in_query(query)
    page: dict[str, Any] = {
        "summary": summary,
        "description": description,
        "tags": [tag],
        "parameters": [*(in_query | in_path).values()],
        "responses": {str(status): {"description": meaning} for status, meaning in replies.items()},
    }
    if body:
        page["requestBody"] = {"required": True, "content": {"application/json": {"schema": body.model_json_schema()}}}
    route.__doc__ = json.dumps(page)
    return Route(path, route, methods=["POST" if body else "GET"])


def _in_query(query: type[BaseModel]) -> dict[str, dict[str, Any]]:
    schema = query.model_json_schema()
    needed = schema.get("required", [])
    properties = schema["properties"].items()
    return {name: _parameter(name, "query", each, required=name in needed) for name, each in properties}


def _parameter(name: str, place: str, schema: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": schema}
