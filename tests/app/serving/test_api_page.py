"""What the server's API page says of our routes is what they take."""

from typing import Any

import yaml
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavegraph.app.roster.served.routes import routes
from wavegraph.app.serving.api_page import described
from wavegraph.app.serving.erase import GuestErasure, guest_routes


def page(route: Any) -> Any:
    return yaml.safe_load(route.endpoint.__doc__)


async def nothing(request: Request) -> Response:
    return JSONResponse({})


def test_a_body_is_told_as_its_type_reads_it() -> None:
    (erase,) = guest_routes()
    schema = page(erase)["requestBody"]["content"]["application/json"]["schema"]

    assert erase.methods == {"POST"}
    assert schema["properties"].keys() == GuestErasure.model_fields.keys()
    assert schema["additionalProperties"] is False


def test_the_address_and_the_query_are_told() -> None:
    (who,) = [each for each in routes() if each.path.endswith("/who")]
    told = {each["name"]: (each["in"], each["required"]) for each in page(who)["parameters"]}

    assert told == {
        "roster_id": ("path", True),
        "day": ("query", True),
        "shift": ("query", False),
        "instead": ("query", False),
    }


def test_each_decision_is_told_first_and_then_done() -> None:
    of = [
        (each.path.rpartition("/")[2], *sorted(each.methods or ())) for each in routes() if "{roster_id}/" in each.path
    ]
    decisions = [name for name, *methods in of if methods == ["POST"]]

    assert decisions == ["publication", "draft", "discard", "undo", "swap"]
    assert all((name, "GET", "HEAD") in of for name in decisions)


def test_what_a_status_means_is_told() -> None:
    route = described("/x/{name}", nothing, "Do x", "It does: x.", tag="X", replies={200: "Done: all", 404: "No x"})

    assert page(route) == {
        "summary": "Do x",
        "description": "It does: x.",
        "tags": ["X"],
        "parameters": [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}],
        "responses": {"200": {"description": "Done: all"}, "404": {"description": "No x"}},
    }
