"""`wavegraph roster who`: questions about a roster that staff have."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wavegraph.app.roster.version_commands import with_versions
from wavegraph.app.terminal.door import print_json, print_text
from wavegraph.app.terminal.options import DatabaseOption, JsonOption

if TYPE_CHECKING:
    from wavegraph.tools.roster.advice.records import Advice
    from wavegraph.tools.roster.versions.log import VersionStore

DateArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATE", help="2026-12-03, today, tomorrow, or a day of the week (the next one).", show_default=False
    ),
]
RosterOption = Annotated[
    str | None,
    typer.Option(
        "--roster",
        metavar="ROSTER",
        help="Its id, .json file, or version (V3, with --ward); default: the published one.",
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


def _print(
    database: str | None, work: "Callable[[VersionStore], Awaitable[tuple[Advice, list[str]]]]", as_json: bool
) -> None:
    found, lines = with_versions(database, work)
    if as_json:
        print_json(_record(found))
    else:
        print_text("\n".join(lines))


def _record(found: "Advice") -> dict[str, Any]:
    return found.model_dump(mode="json")
