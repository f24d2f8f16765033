"""`wavegraph roster who`, `swap`, `why` and `compare`: questions about a roster that staff have."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from wavegraph.app.roster.version_commands import (
    ByOption,
    ReasonOption,
    WithProblemsOption,
    deciding_user,
    with_versions,
)
from wavegraph.app.roster.version_commands import WardOption as VersionWardOption
from wavegraph.app.terminal.door import print_json, print_text
from wavegraph.app.terminal.options import DatabaseOption, JsonOption

if TYPE_CHECKING:
    from wavegraph.tools.roster.advice.records import Advice
    from wavegraph.tools.roster.records import RosterRecord
    from wavegraph.tools.roster.versions.log import VersionStore

DateArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATE",
        help="2026-12-03 or 3.12.2026, today, tomorrow, or a day of the week (the next one).",
        show_default=False,
    ),
]
RosterOption = Annotated[
    str | None,
    typer.Option(
        "--roster",
        metavar="ROSTER",
        help="Its id, .json file, or version (V3); default: the published one.",
    ),
]
WardOption = Annotated[
    str | None,
    typer.Option("--ward", metavar="WARD", help="Whose published roster; default: the one ward that has one then."),
]


def who(
    day: DateArgument,
    shift: Annotated[str, typer.Argument(metavar="SHIFT", help="Its id or name.", show_default=False)],
    instead: Annotated[
        str | None, typer.Option(metavar="NURSE", help="Who falls away from the shift; default: one more is wanted.")
    ] = None,
    roster: RosterOption = None,
    ward: WardOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Say who can take a shift: those who may, the cheapest first, then who may not, and why."""

    async def work(versions: "VersionStore") -> "tuple[Advice, list[str]]":
        from wavegraph.app.roster.advice.asked import Asked
        from wavegraph.app.roster.advice.words import cover_lines
        from wavegraph.tools.roster.advice.cover import who_can_cover

        asked = Asked.of([day], roster, ward)
        of = await asked.roster(versions)
        found = who_can_cover(of, asked.days[0], shift, instead)
        return found, cover_lines(of.ward, found)

    _print(database, work, as_json)


def swap(
    first: Annotated[str, typer.Argument(metavar="A", help="A nurse, by id or name.", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one.", show_default=False)],
    days: Annotated[
        list[str], typer.Argument(metavar="DATE…", help="As for `roster who`; one or more.", show_default=False)
    ],
    publish: Annotated[
        bool, typer.Option("--publish", help="Publish it, if no rule is broken, in place of the published roster.")
    ] = False,
    with_problems: WithProblemsOption = False,
    reason: ReasonOption = "",
    by: ByOption = None,
    roster: RosterOption = None,
    ward: WardOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Say whether two nurses may swap what they have on some days, and what that breaks or costs."""

    async def work(versions: "VersionStore") -> "tuple[Advice, list[str]]":
        from wavegraph.app.roster.advice.asked import Asked
        from wavegraph.app.roster.advice.words import published_lines, swap_lines
        from wavegraph.tools.roster.advice.swap import publish_swap
        from wavegraph.tools.roster.advice.swap import swap as swapped
        from wavegraph.tools.roster.store import RosterStore

        asked = Asked.of(days, roster, ward)
        of = await asked.roster(versions)
        found = swapped(of, first, second, asked.days)
        lines = swap_lines(of.ward, found)
        if not publish:
            return found, lines
        made = await publish_swap(
            of, found, versions, RosterStore(database=database), by=deciding_user(by), reason=reason,
            with_problems=with_problems,
        )  # fmt: skip
        return made, [*lines, *published_lines(made)]

    _print(database, work, as_json)


def why(
    nurse: Annotated[str, typer.Argument(metavar="NURSE", help="By id or name.", show_default=False)],
    day: DateArgument,
    roster: RosterOption = None,
    ward: WardOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Explain a cell: what forced it, and what each other shift or a day off would break or cost."""

    async def work(versions: "VersionStore") -> "tuple[Advice, list[str]]":
        from wavegraph.app.roster.advice.asked import Asked
        from wavegraph.app.roster.advice.words import cell_lines
        from wavegraph.tools.roster.advice.why import explain_cell

        asked = Asked.of([day], roster, ward)
        found = explain_cell(await asked.roster(versions), nurse, asked.days[0])
        return found, cell_lines(found)

    _print(database, work, as_json)


def compare(
    before: Annotated[
        str,
        typer.Argument(metavar="V1", help="A roster: id, .json file, or version (V3).", show_default=False),
    ],
    now: Annotated[str, typer.Argument(metavar="V2", help="The other one.", show_default=False)],
    only_cells: Annotated[bool, typer.Option("--cells", help="Only the cells that differ, all of them.")] = False,
    ward: VersionWardOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Put two rosters side by side: the cells that differ, and cost, shortages, wishes, hours, nights and weekends."""
    if only_cells:
        _print_cells(before, now, ward, as_json, database)
        return

    async def work(versions: "VersionStore") -> "tuple[RosterRecord, list[str]]":
        from wavegraph.app.roster.advice.words import comparison_lines
        from wavegraph.app.roster.named import find_roster_id
        from wavegraph.tools.roster.advice.compare import compare_rosters
        from wavegraph.tools.roster.advice.rosters import known_roster

        one, other = [
            await known_roster(await find_roster_id(each, ward, versions), versions) for each in (before, now)
        ]
        found = compare_rosters(one, other)
        return found, comparison_lines({**one.ward.nurse_by_id, **other.ward.nurse_by_id}, found)

    _print(database, work, as_json)


def _print_cells(before: str, now: str, ward: str | None, as_json: bool, database: str | None) -> None:
    from wavegraph.app.roster.versions import differing_cells

    found = with_versions(database, lambda versions: differing_cells(before, now, ward, versions))
    print_json(found.cells) if as_json else print_text("\n".join([found.head, *found.lines]))


def _print(
    database: str | None, work: "Callable[[VersionStore], Awaitable[tuple[RosterRecord, list[str]]]]", as_json: bool
) -> None:
    from wavegraph.tools.roster.answers.phrases import english_record

    found, lines = with_versions(database, work)
    if as_json:
        print_json(english_record(found.model_dump(mode="json")))
    else:
        print_text("\n".join(lines))
