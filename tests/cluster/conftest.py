"""One cluster for all tests of this folder."""

from collections.abc import Iterator

import pytest
from aegra_house import House, house_in, reason_to_skip


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if reason := reason_to_skip():
        pytest.skip(reason)
    with house_in(tmp_path_factory.mktemp("cluster")) as house:
        yield house
