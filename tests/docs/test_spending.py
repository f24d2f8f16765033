"""Every cap is told, as a setting and as a variable, and the price table shown is one."""

import re
from pathlib import Path

from wavegraph.graph.limits import SPENDING_LIMITS
from wavegraph.graph.model.prices import PRICES, Prices
from wavegraph.graph.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running" / "spending.md").read_text(encoding="utf-8")


def test_every_cap_is_told() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert rows == [(name, f"WAVEGRAPH_{name.upper()}") for name in SPENDING_LIMITS]
    capped = [name for name in Settings.model_fields if re.match(r"max_(thread|day)_", name)]
    assert sorted(capped) == sorted(SPENDING_LIMITS)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [name for name in [*(row[1] for row in rows), PRICES] if f"#{name}=" not in example] == []


def test_the_price_table_is_one(tmp_path: Path) -> None:
    (table,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    (tmp_path / "prices.toml").write_text(table, encoding="utf-8")
    price = Prices.read(tmp_path / "prices.toml").price("gpt-5-mini")
    assert float(price.of(input=1_000_000, cached=0, output=0)) == 0.25
