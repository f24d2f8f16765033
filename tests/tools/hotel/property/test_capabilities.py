"""What a property declares that it can do."""

from pathlib import Path

from wavegraph.tools.hotel.inventory.restrictions import ROOM_TYPE_ORDER
from wavegraph.tools.hotel.property.capabilities import EVERYTHING
from wavegraph.tools.hotel.property.port import Property, open_property


def test_a_property_of_the_house_can_do_everything(tmp_path: Path) -> None:
    sandbox = open_property(data_dir=tmp_path)
    assert isinstance(sandbox, Property)
    assert sandbox.capabilities == EVERYTHING


def test_everything_names_each_reason_that_a_search_gives() -> None:
    assert frozenset(ROOM_TYPE_ORDER) == EVERYTHING.reasons
