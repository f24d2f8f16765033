"""The tables of a ward, which the rounds and the solvers share."""

from concurrent.futures import ThreadPoolExecutor

from roster_wards import ward_of_two

from wavegraph.tools.roster.problem.instance import BUILT_KEPT, Instance


def test_a_ward_has_one_also_for_those_who_ask_side_by_side() -> None:
    ward = ward_of_two()
    with ThreadPoolExecutor(5) as threads:
        found = list(threads.map(lambda _: Instance.of(ward), range(5)))

    assert len({id(each) for each in found}) == 1
    assert found[0].ward is ward


def test_a_ward_with_other_cells_settled_has_its_own() -> None:
    ward = ward_of_two()
    settled = ward.model_copy(update={"leave": []})

    assert settled == ward
    assert Instance.of(settled) is not Instance.of(ward)
    assert Instance.of(settled).ward is settled


def test_those_of_the_latest_wards_are_kept() -> None:
    wards = [ward_of_two() for _ in range(BUILT_KEPT + 1)]
    first, *later = [Instance.of(ward) for ward in wards]

    assert all(Instance.of(ward) is each for ward, each in zip(wards[1:], later, strict=True))
    assert Instance.of(wards[0]) is not first
