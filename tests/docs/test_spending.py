"""Every cap is told, as a setting and as a variable, and the example is a use as it is counted."""

import json
import re
from pathlib import Path

from wavegraph.graph.limits import SPENDING_LIMITS
from wavegraph.graph.settings import Settings
from wavegraph.graph.views import COUNTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running" / "spending.md").read_text(encoding="utf-8")


def test_every_cap_is_told() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert rows == [(name, f"WAVEGRAPH_{name.upper()}") for name in SPENDING_LIMITS]
    capped = [name for name in Settings.model_fields if re.match(r"max_(request_calls|thread_|day_)", name)]
    assert sorted(capped) == sorted(SPENDING_LIMITS)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [name for _, name in rows if f"#{name}=" not in example] == []


def test_the_example_of_a_use_is_one() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)
    assert [set(use) for use in json.loads(example).values()] == [set(COUNTS)]
