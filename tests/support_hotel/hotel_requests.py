"""The published guest requests, where they lie beside the checkout."""

from pathlib import Path

from wavegraph.app.evaluate.file import Case, read_file

REQUESTS = Path(__file__).parents[3] / "shared" / "data" / "hotel_requests_dev.json"


def requests() -> list[Case]:
    """Those a planner without a model should do; none where there is no file."""
    if not REQUESTS.exists():
        return []
    return [case for case in read_file(REQUESTS).cases if not case.llm_only]
