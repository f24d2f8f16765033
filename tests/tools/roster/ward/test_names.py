"""Whom and which shift a person means."""

import pytest
from roster_wards import ward_of_two

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.ward.names import nurse_named, shift_named
from wavegraph.tools.roster.ward.ward import Ward

NAMES = {
    "n1": "José Ángel Núñez", "n2": "Joanna Smith", "n3": "Joan Smythe", "n4": "נועה לוי", "n5": "Ольга Петрова",
    "n6": "Straße", "n7": "İpek", "n8": "", "n10": "O'Brien", "n11": "Anne‑Marie D’Angelo", "n12": "ג׳ורג׳ כץ",
}  # fmt: skip
WARD: Ward = ward_of_two(nurses=[{"id": name, "name": called} for name, called in NAMES.items()])
SHIFTS: Ward = ward_of_two(
    shifts__0__name="Early", shifts__1__name="Late", shifts__2__name="לילה", demand=[],
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("n1", "n1"), ("N2", "n2"), (" joanna ", "n2"), ("JOANNA SMITH", "n2"), ("smythe", "n3"), ("joann", "n2"),
        ("jose", "n1"), ("nunez", "n1"), ("NÚÑEZ", "n1"), ("josé ángel", "n1"), ("נועה", "n4"), ("נוע", "n4"),
        ("ольга", "n5"), ("ПЕТР", "n5"), ("strasse", "n6"), ("ipek", "n7"), ("n8", "n8"), ("n1 José Ángel Núñez", "n1"),
        ("joan", "n3"), ("o'br", "n10"), ("Jose\u0301", "n1"), ("O’Brien", "n10"), ("o`brien", "n10"), ("O´Brien", "n10"),
        ("OʼBRIEN", "n10"), ("obrien", "n10"), ("D'Angelo", "n11"), ("d’ang", "n11"), ("anne-marie", "n11"),
        ("ג'ורג' כץ", "n12"), ("ג'ורג", "n12"), ("ג׳ורג׳", "n12"),
    ],
)  # fmt: skip
def test_a_nurse_by_id_name_or_a_part_of_it(said: str, meant: str) -> None:
    assert nurse_named(WARD, said).id == meant


@pytest.mark.parametrize(
    ("said", "code", "told"),
    [
        ("joa", "ambiguous_nurse", "Joanna Smith, Joan Smythe"),
        ("jonna", "unknown_nurse", "nearest to it: Joanna Smith."),
        ("O’Brain", "unknown_nurse", "nearest to it: O'Brien."),
        ("Ольг а", "unknown_nurse", "nearest to it: Ольга Петрова."),
        ("Zebedee", "unknown_nurse", "José Ángel Núñez, Joanna Smith"),
        ("\x1b[2J", "unknown_nurse", "“[2J” is no nurse of this ward; these are: José"),
        ("", "unknown_nurse", "these are: José"),
        ("   ", "unknown_nurse", "these are: José"),
    ],
)
def test_who_is_not_known_is_told_with_the_nearest(said: str, code: str, told: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        nurse_named(WARD, said)
    assert refused.value.code == code
    assert told in str(refused.value)


def test_an_id_as_it_is_written_is_hers_though_another_is_called_so() -> None:
    ward = ward_of_two(nurses=[{"id": "ann", "name": "Ann"}, {"id": "cy", "name": "Ann"}], leave=[])
    assert nurse_named(ward, "ann").id == "ann"
    with pytest.raises(ToolRefusal, match="“Ann” is more than one nurse: ann Ann, cy Ann"):
        nurse_named(ward, "Ann")


@pytest.mark.parametrize(
    ("said", "meant"),
    [("E", "E"), ("e", "E"), ("early", "E"), ("LATE", "L"), ("lat", "L"), ("לילה", "N"), ("ליל", "N")],
)
def test_a_shift_by_id_name_or_its_beginning(said: str, meant: str) -> None:
    assert shift_named(SHIFTS, said).id == meant


@pytest.mark.parametrize("said", ["X", "", "earlyish"])
def test_a_shift_that_is_not_known_is_told_with_all_there_are(said: str) -> None:
    with pytest.raises(ToolRefusal, match="there are: E Early, L Late, N לילה"):
        shift_named(SHIFTS, said)


@pytest.mark.parametrize(
    ("said", "near"),
    [("דיאנה", ["Diana"]), ("אליס", ["Alice"]), ("ג'ודית", ["Judith"]), ("קרל", ["Karl"]), ("אווה", ["Eva"]),
     ("איב", ["Eva"]), ("ריטה", [])],
)  # fmt: skip
def test_a_name_in_another_alphabet_is_the_only_one_that_sounds_like_it(said: str, near: list[str]) -> None:
    names = ["Alice", "Diana", "Eva", "Ivan", "Judith", "Karl"]
    ward = WARD.changed(
        nurses=[WARD.nurses[0].model_copy(update={"id": f"n{place}", "name": each}) for place, each in enumerate(names)]
    )
    if len(near) == 1:
        assert nurse_named(ward, said).name == near[0]
        return
    with pytest.raises(ToolRefusal) as refused:
        nurse_named(ward, said)
    assert refused.value.about == {"name": said, **({"nearest": near} if near else {"nurses": names})}


def test_of_two_that_sound_alike_in_another_alphabet_none_is_taken() -> None:
    nurses = [WARD.nurses[0].model_copy(update={"id": name.lower(), "name": name}) for name in ("Ana", "Anna")]
    with pytest.raises(ToolRefusal) as refused:
        nurse_named(WARD.changed(nurses=nurses), "אנה")
    assert refused.value.about["nearest"] == ["Ana", "Anna"]
