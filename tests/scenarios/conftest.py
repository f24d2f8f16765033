"""What scenarios share: a warehouse, a till, and a conversation at it."""

import pytest
from till import Talk, Till
from warehouse import Warehouse


@pytest.fixture
def warehouse() -> Warehouse:
    return Warehouse()


@pytest.fixture
def till() -> Till:
    return Till()


@pytest.fixture
def talk(till: Till) -> Talk:
    return Talk(till)
