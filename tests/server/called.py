"""An agent of `create_agent`, as the server loads it beside the served graphs (see conftest.py)."""

import os
from typing import Any

from wavegraph import create_agent, read


@read
def price(city: str) -> dict[str, Any]:
    """What a flight costs."""
    return {"city": city, "euros": 80}


def book(city: str) -> str:
    """Book a flight."""
    return f"booked {city}"


os.environ.update(OPENAI_BASE_URL=os.environ["MODEL_URL"], OPENAI_API_KEY=os.environ["MODEL_KEY"])
graph = create_agent(tools=[price, book], approve={"book": "Book {city}"}, name="called")
for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):  # the graph has read them: no other may
    del os.environ[name]
