"""Card numbers as rows and lists, with codes behind them; and rows of other numbers, which stay."""

from typing import Any

from tables import table

from wavegraph.graph.guard.cards import MARK, mask, mask_json

CARD = "4111111111111111"
AMEX = "378282246310005"


@table(
    ("text", "left"),
    [
        ("4111,1111,1111,1111", MARK),
        ("4111, 1111, 1111, 1111", MARK),
        ("4111/1111/1111/1111", MARK),
        ("4111 / 1111 / 1111 / 1111", MARK),
        ("4111:1111:1111:1111", MARK),
        ("4111|1111|1111|1111", MARK),
        ("4111 | 1111 | 1111 | 1111", MARK),
        ("4111\n1111\n1111\n1111", MARK),
        ("4111,\n1111,\n1111,\n1111", MARK),
        ("card: 4111,1111,1111,1111.", f"card: {MARK}."),
        ("3782/822463/10005", MARK),
        ("3782, 822463, 10005 for Dana", f"{MARK} for Dana"),
        ("3056,930902,5904", MARK),
        ("4222,2222,2222,2", MARK),
        ("4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", MARK),
        ("4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1", MARK),
        ("3,7,8,2,8,2,2,4,6,3,1,0,0,0,5", MARK),
        ("room 12, 4111, 1111, 1111, 1111, 2 nights", f"room 12, {MARK}, 2 nights"),
        ('["4111", "1111", "1111", "1111"]', f'["{MARK}"]'),
        ("[4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", f"[{MARK}]"),
        ("٤١١١،١١١١،١١١١،١١١١", MARK),
        ("４１１１／１１１１／１１１１／１１１１", MARK),
        ("४१११, ११११, ११११, ११११", MARK),
        ("כרטיס 4111/1111/1111/1111 תודה", f"כרטיס {MARK} תודה"),
        ("4111/1111/1111/1111 12/28 123", MARK),
        ("4111,1111,1111,1111,12/28,123", MARK),
        ("4111,1111,1111,1111,1228,123", MARK),
        ("4111,1111,1111,1111 or 5555,5555,5555,4444", f"{MARK} or {MARK}"),
        (f"{CARD}|12|27|123", MARK),
        (f"{CARD}:12:2027:123 for Dana", f"{MARK} for Dana"),
        (f"{AMEX};04;29;1234", MARK),
        ("4111|1111|1111|1111|12|27|123", MARK),
        (f"{CARD} 12 27 123", MARK),
        (f"{CARD}، ١٢، ٢٧، ١٢٣", MARK),
        (f"{CARD}, 2 adults, 12 nights", f"{MARK}, 2 adults, 12 nights"),
        (f"{CARD}, 12, 27, 123 or 4567", f"{MARK} or 4567"),
        (f"{CARD}, 12, 19, 1050 NIS", f"{MARK}, 12, 19, 1050 NIS"),
        (f"{CARD} code 123", MARK),
        (f"{CARD}, code: 123, thanks", f"{MARK}, thanks"),
        (f"{CARD} (code is 123)", f"{MARK})"),
        (f"{CARD} קוד 123", MARK),
        (f"{CARD} וקוד 123", MARK),
        (f"{CARD}, קוד הוא 123", MARK),
        (f"{CARD} pin 1234", MARK),
        (f"{AMEX} PIN: 1234 for Dana", f"{MARK} for Dana"),
        (f"{CARD} pin code 1234", MARK),
        (f"{CARD} 12/28 code 123", MARK),
        (f"{CARD} and last 3 digits 123", MARK),
        ("4111/1111/1111/1111 code 123", MARK),
        (f"{CARD} קוד ١٢٣", MARK),
        (f"{CARD}cvv 123, thanks", f"{MARK}, thanks"),
        ("41111%20111111%2011111 thanks", f"{MARK} thanks"),
    ],
)
def test_a_number_in_a_row_and_the_code_behind_it_go(text: str, left: str) -> None:
    assert mask(text) == left
    assert mask(left) == left


@table(
    "text",
    [
        "rates are 4000, 4150, 4200, 4350",
        "4990, 4750, 4240, 4200",
        "4100, 4120, 4145, 4180 NIS",
        "rooms 4101, 4102, 4103, 4108",
        "rooms 6011, 6012, 6013, 6014",
        "rooms 5201/5202/5203/5210",
        "4450:4460:4470:4478",
        "5100 | 5200 | 5300 | 5315",
        "between 1111, 2222",
        "from 4111, 5111 or 6111",
        "1111, 2222, 3333",
        "2024, 2025, 2026, 2027",
        "3/12/2026, 4/12/2026, 5/12/2026",
        "03/12/26, 04/12/26, 05/12/26, 06/12/26",
        "2026/12/03, 2026/12/05",
        "12:30, 14:45, 18:00, 19:15",
        "12:30:45, 14:45:12",
        "052-1234567, 054-7654321",
        "+972 52 123 4567 / +972 54 765 4321",
        "9123 4567, 9876 5432",
        "4,111,111,111 rupiah",
        "1,234,567, 2,345,678",
        "adults 2, children 4, 5, 7",
        "4, 5, 3, 5, 4, 4, 5, 5, 3, 4, 5, 4, 5, 1",
        "ids 411111, 111111, 111111",
        "10.0.0.1:8080, 10.0.0.2:8081",
        "2001:0db8:4111:1111:1111:1111:0000:0001",
        "4111,1111,1111,1112",
        "9111/1111/1111/1111",
        "4111/1111,1111/1111",
        "code 123",
        "קוד 123",
        "pin 1234",
        "the door code is 1234, room 12",
        "WG-4111, WG-1111, WG-1111, WG-1111",
        "5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60",
        "٣/١٢/٢٠٢٦، ٤/١٢/٢٠٢٦",
    ],
)
def test_other_numbers_in_a_row_stay(text: str) -> None:
    assert mask(text) == text
    assert mask_json([text, {"a": text}]) == [text, {"a": text}]


@table(
    ("value", "left"),
    [
        (["4111", "1111", "1111", "1111"], [MARK]),
        ([4111, 1111, 1111, 1111], [MARK]),
        ([4] + [1] * 15, [MARK]),
        (["4"] + ["1"] * 15, [MARK]),
        ([3782, 822463, 10005], [MARK]),
        (["card", "4111", "1111", "1111", "1111", "12/28", "123", "Dana"], ["card", MARK, "Dana"]),
        ({"parts": ["٤١١١", "١١١١", "١١١١", "١١١١"]}, {"parts": [MARK]}),
        (("4111", 1111, "1111", 1111), (MARK,)),
        ([[4111, 1111, 1111, 1111], [5]], [[MARK], [5]]),
        ([1.5, True, None, 4111, 1111, 1111, 1111, "x"], [1.5, True, None, MARK, "x"]),
    ],
)
def test_a_number_split_over_a_list_goes(value: Any, left: Any) -> None:
    assert mask_json(value) == left


@table(
    "value",
    [
        [],
        [4500, 4600, 4700, 4745],
        [4101, 4102, 4103, 4108],
        [4, 5, 3, 5, 4, 4, 5, 5, 3, 4, 5, 4, 5, 1],
        [2026, 12, 3],
        ["2026-12-03", "2026-12-05"],
        ["0521234567", "0547654321"],
        [4111, "x", 1111, 1111, 1111],
        [4111.0, 1111.0, 1111.0, 1111.0],
        [True] * 16,
        [-4111, 1111, 1111, 1111],
        list(range(100)),
        ["a", ["b", ("c", 1)]],
    ],
)
def test_another_list_stays_as_it_is(value: Any) -> None:
    assert mask_json(value) == value
