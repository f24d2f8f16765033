"""A model that writes freely for hotels in other currencies: what it writes of them passes, what it invents is struck."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers
from hotel_plans import plan, stay
from hotels_abroad import EUR, JPY, KWD, Abroad, imported
from plans import ask

from wavegraph import build_graph
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
DATES = "Monday 18 January to Wednesday 20 January 2027"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("abroad")
    for case in (EUR, JPY, KWD):
        imported(case, folder)
    return lambda: build_graph(replace(hotel_domain(folder), statements=None)).compile()


def planned(**more: Any) -> Turn:
    return plan(stay("check_availability", "2027-01-18", "2027-01-20", **more))


def told(graph: Any, case: Abroad, text: str = "January 18-20 for two?") -> Any:
    return ask(graph(), text, today=TODAY, property_id=f"hotel-{case.id}")


SPELLINGS = [
    (EUR, "216.90 EUR"), (EUR, "€216.90"), (EUR, "216,90 €"), (EUR, "216.90 euros"), (EUR, "EUR 217"), (EUR, "about 217 euro"),
    (JPY, "¥27,450"), (JPY, "27,450 yen"), (JPY, "JPY 27450"), (JPY, "27.450 円"), (KWD, "81.909 KWD"), (KWD, "KWD 81.909"),
    (KWD, "81.909 dinars"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "price"), SPELLINGS, ids=[price for _, price in SPELLINGS])
def test_a_price_passes_in_every_spelling_of_its_currency(
    endpoint: Endpoint, graph: Any, case: Abroad, price: str
) -> None:
    text = f"The Standard Queen from {DATES} is {price} in all, non-refundable."
    endpoint.plays(planned(), answers(text))
    ended = told(graph, case)
    assert (ended["answer"], ended["answer_failures"]) == (text, [])
    assert ended["answer_check"]["reasoning"] == "every claim traces to its source"


WRONG = [
    (EUR, "€240.90"),
    (EUR, "$216.90"),
    (EUR, "216.90 NIS"),
    (JPY, "¥27,540"),
    (JPY, "274.50 yen"),
    (KWD, "81.990 KWD"),
    (KWD, "81.909 USD"),
]


@pytest.mark.parametrize(("case", "price"), WRONG, ids=[price for _, price in WRONG])
def test_a_wrong_price_and_a_wrong_currency_are_struck_and_the_verdict_says_so(
    endpoint: Endpoint, graph: Any, case: Abroad, price: str
) -> None:
    wrong = f"The Standard Queen is {price}."
    endpoint.plays(planned(), answers(wrong), answers(wrong))
    ended = told(graph, case)

    assert price not in ended["answer"]
    assert case.saver in ended["answer"]  # the templates' own words take its place
    assert ended["answer_failures"][0]["gap"] == f"traces to no result: {price}"
    assert f"an earlier draft traces to no result: {price}" in ended["answer_check"]["reasoning"]


def test_a_budget_without_a_currency_is_in_the_hotel_s(endpoint: Endpoint, graph: Any) -> None:
    """Written by the templates, which hold prices against it."""
    text = f"Within 300 EUR: the Standard Queen from {DATES} for €216.90."
    endpoint.plays(planned(max_price=300), answers(text))
    assert told(graph, EUR, "January 18-20 for two, at most 300")["answer"] == text
