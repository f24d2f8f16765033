"""Numbers in texts are never written in powers of ten."""

from tables import table

from wavegraph.graph.decimals import decimal


@table(
    ("amount", "places", "written"),
    [
        (9_074_713, 2, "9074713"), (12_345_678.9, 2, "12345678.9"), (0.1, 2, "0.1"), (1e-7, 2, "0"), (1e-7, 10, "0.0000001"),
        (-0.001, 2, "0"), (-1_234_567.125, 1, "-1234567.1"), (100, 1, "100"), (0, 2, "0"),
    ],
)  # fmt: skip
def test_a_number_has_the_decimals_it_needs(amount: float, places: int, written: str) -> None:
    assert decimal(amount, places) == written


def test_thousands_may_be_marked() -> None:
    assert decimal(9_074_713.25, mark=",") == "9,074,713.25"
