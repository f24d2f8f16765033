"""A roster as one page for a ward manager: may it be published, what is wrong, who works when, is it fair.

No script, no external resources; findings link to their cells and back.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from xml.etree.ElementTree import Element

from wavegraph.app.pages.frame import framed, scrolled, tile
from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import NOTHING, Headline, counted, percent
from wavegraph.app.roster.page.anchors import AnchoredFinding, Sheet
from wavegraph.app.roster.page.cover import coverage, coverage_key
from wavegraph.app.roster.page.fairness import fairness
from wavegraph.app.roster.page.grid import grid, legend
from wavegraph.app.roster.page.rounds import convergence, convergence_key, labelled_row, rounds_table
from wavegraph.app.roster.page.words import LEVELS, amount, day_name, limit_rows, period, rule_rows, type_name
from wavegraph.tools.roster.answers.phrases import findings_in_words
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Round, gap_of
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.ward import Roster, Ward

MOST_LISTED = 6
"""Findings of a type listed at the top; the table has all."""
FAILING = ("breach", "failed")


def roster_page(
    ward: Ward,
    roster: Roster,
    report: RosterReport,
    rounds: Sequence[Round],
    traces: Mapping[int, Sequence[Point]],
    *,
    iteration: int | None = None,
    note: str = "",
) -> str:
    """The whole page as HTML. `report` is of this roster, which must fit the ward.

    `traces` by a round's iteration: costs and bounds there are by that round's own penalties, while a round's `cost`
    and `bound` are by the base penalties. `iteration`: of the round that made the roster; None = the last one with as
    many breaches and the same failing types. Where there is none, the page says that the solver's cost is not known.
    `note`: what to know before using the roster, shown at the top.
    """
    sheet, presented = Sheet(ward, roster, report), _presented_round(report, rounds, iteration)
    return framed(
        f"{ward.name}: roster {period(ward)}",
        [files(__package__) / "roster.css"],
        _heading(sheet, note),
        element("main", *_sections(sheet, rounds, traces, presented)),
        _footing(),
    )


def _presented_round(report: RosterReport, rounds: Sequence[Round], iteration: int | None) -> Round | None:
    if iteration is not None:
        return next((each for each in rounds if each.iteration == iteration), None)
    failed, breaches = {found.type for found in report.failing}, len(report.compliance.breaches)
    with_roster = [each for each in rounds if each.cost is not None]
    alike = [each for each in with_roster if each.breaches == breaches and set(each.failed) == failed]
    return alike[-1] if alike else None


def _heading(sheet: Sheet, note: str) -> Element:
    ward = sheet.ward
    about = f"{period(ward)} · {counted(ward.days, 'day')} · {counted(len(ward.nurses), 'nurse')}"
    noted = [element("p", element("strong", note), class_="note")] if note else []
    return element("header", element("h1", element("bdi", ward.name, dir="auto")), element("p", about), *noted)


def _footing() -> Element:
    return element(
        "footer",
        element("p", "Made by wavegraph roster. The checks that decide here share no code with the solver that made the "
                     "roster. Labour rules come from the ward's file and are no legal advice."),
    )  # fmt: skip


def _sections(
    sheet: Sheet, rounds: Sequence[Round], traces: Mapping[int, Sequence[Point]], presented: Round | None
) -> list[Element]:
    return [
        element("section", *_tiles(sheet, presented), class_="tiles", aria_label="In short"),
        _failed(sheet),
        *_unmet(presented),
        _card("roster", "Roster", "Hover over a cell, or click a framed one, for details.",
              legend(sheet.ward), grid(sheet)),
        *([_card("coverage", "Coverage", "Nurses present against the target, for each shift and day.", coverage_key(),
                 coverage(sheet))] if sheet.ward.demand else []),
        _card("fairness", "Fairness", _fairness_about(sheet), fairness(sheet)),
        *([_rounds(rounds, traces, presented)] if rounds else []),
        _findings(sheet),
        _rules(sheet.ward),
    ]  # fmt: skip


def _unmet(presented: Round | None) -> list[Element]:
    """Why no roster reaches the minimums, and what would have to give."""
    words = [issue.detail for issue in presented.issues if issue.type == "understaffed"] if presented else []
    if not words:
        return []
    about = "Proven by the solver for this ward. Each of the changes is enough by itself."
    return [_card("unmet", "What no roster can meet", about, element("ul", *(element("li", each) for each in words)))]


def _card(key: str, title: str, about: str, *inside: Element) -> Element:
    return element("section", element("h2", title), element("p", about, class_="about"), *inside, id=key,
                   class_="card wide")  # fmt: skip


def _tiles(sheet: Sheet, presented: Round | None) -> list[Element]:
    report = sheet.report
    passed, approved = report.compliance.status == "PASS", report.empathy.status == "APPROVED"
    return [
        tile(Headline("Rules", report.compliance.status, _rules_about(report)), _verdict(passed)),
        tile(Headline("Fairness", report.empathy.status, _empathy_about(report)), _verdict(approved)),
        *map(tile, _costs(report, presented)),
        tile(Headline("Wishes granted", _wishes(report), "by weight")),
        *map(tile, _changes(report)),
    ]


def _verdict(good: bool) -> str:
    return f"tile verdict-tile {'good' if good else 'bad'}"


def _rules_about(report: RosterReport) -> str:
    breaches = len(report.compliance.breaches)
    return f"must not be published: {_breaches(breaches)}" if breaches else "may be published: no breach"


def _breaches(n: int) -> str:
    return "1 breach" if n == 1 else f"{n:,} breaches"


def _empathy_about(report: RosterReport) -> str:
    failed = report.empathy.failed
    return f"{counted(len(failed), 'kind')} of unfairness above the limits" if failed else "within the ward's limits"


def _costs(report: RosterReport, presented: Round | None) -> list[Headline]:
    if presented is None or presented.cost is None:
        return [
            Headline("Cost", amount(report.cost.total), "by the ward's weights; no round of the solver is known"),
            Headline("Proven bound", NOTHING, "not known"),
            Headline("Gap", NOTHING, "not known"),
        ]
    gap = gap_of(presented.cost, presented.bound)
    return [
        Headline(
            "Cost",
            amount(presented.cost),
            f"by the base penalties; {amount(report.cost.total)} of it by the ward's weights",
        ),
        Headline("Proven bound", amount(presented.bound), "no roster costs less"),
        Headline("Gap", percent(gap), "of the cost, at most, could be saved" if gap else "proven: none is cheaper"),
    ]


def _changes(report: RosterReport) -> list[Headline]:
    """Where there was a roster to keep to."""
    changed = report.changed_cells
    return [] if changed is None else [Headline("Cells changed", f"{changed:,}", "of the published roster")]


def _wishes(report: RosterReport) -> str:
    weight = sum(share.wish_weight for share in report.empathy.shares)
    return percent(sum(share.wish_granted for share in report.empathy.shares) / weight if weight else None)


def _failed(sheet: Sheet) -> Element:
    failing = [placed for placed in sheet.placed if placed.level in FAILING]
    if not failing:
        return element("section", element("h2", "Nothing failed"), element("p", _passed(sheet), class_="about"),
                       id="failed", class_="card wide passed")  # fmt: skip
    groups = groupby(sorted(failing, key=_type_of), key=_type_of)
    by_type = {kind: list(group) for kind, group in groups}
    order = dict.fromkeys(map(_type_of, failing))
    return _card("failed", "What failed", "Each line links to its place in the roster.",
                 element("div", *(_failing_type(sheet, by_type[kind]) for kind in order), class_="failing"))  # fmt: skip


def _passed(sheet: Sheet) -> str:
    found = findings_in_words(sheet.report.counts, "en")
    return f"No rule is broken, and the limits of fairness hold. {found}".rstrip()


def _type_of(placed: AnchoredFinding) -> tuple[str, str]:
    return placed.level, placed.finding.type


def _failing_type(sheet: Sheet, placed: Sequence[AnchoredFinding]) -> Element:
    level, kind = _type_of(placed[0])
    allowed = {excess.type: excess.allowed for excess in sheet.report.empathy.failed}
    limit = f", {allowed[placed[0].finding.type]} allowed" if level == "failed" else ""
    head = element("h3", badge(level), f" {type_name(kind)} ", element("small", f"{len(placed)} found{limit}"))
    items = [element("li", _to_place(each)) for each in placed[:MOST_LISTED]]
    if placed[MOST_LISTED:]:
        more = f"and {len(placed) - MOST_LISTED} more"
        items.append(element("li", element("a", more, href=f"#{placed[MOST_LISTED].anchor}")))
    return element("div", head, element("ul", *items))


def _to_place(placed: AnchoredFinding) -> Element:
    return element("a", element("bdi", placed.finding.detail, dir="auto"), href=f"#{placed.place}")


def badge(level: str) -> Element:
    return element("span", LEVELS[level], class_=f"badge {level}")


def _fairness_about(sheet: Sheet) -> str:
    return (
        f"{sheet.report.empathy.fairness:g} of 100: how alike the scores are. A line in a bar is the contract's hours. "
        "A framed number links to its finding."
    )


def _rounds(rounds: Sequence[Round], traces: Mapping[int, Sequence[Point]], presented: Round | None) -> Element:
    inside = [rounds_table(rounds, presented)]
    if any(traces.get(each.iteration) for each in rounds):
        note = (
            "Best cost and proven bound over the seconds of each round, on a scale of tenfold steps. They are by that "
            "round's own raised penalties, so do not compare rounds here; the base cost above is by the same "
            "penalties in every round."
        )
        inside += [element("p", note, class_="about"), convergence_key(), convergence(rounds, traces)]
    return _card("rounds", "How it was made", "A round that fails raises the penalties of what failed, and the next one "
                 "minimises those. The bound is proven for the base penalties.", *inside)  # fmt: skip


def _findings(sheet: Sheet) -> Element:
    if not sheet.placed:
        return _card("findings", "Findings", "Nothing was found.")
    names = ("Level", "Rule", "Nurse", "Day", "Shift", "What")
    table = element(
        "table",
        element("caption", "Findings"),
        element("thead", element("tr", *(element("th", name, scope="col") for name in names))),
        element("tbody", *(_finding_row(sheet, names, placed) for placed in sheet.placed)),
        class_="told findings",
    )
    return _card("findings", "Findings", findings_in_words(sheet.report.counts, "en"), scrolled(table, "Findings"))


def _finding_row(sheet: Sheet, names: Sequence[str], placed: AnchoredFinding) -> Element:
    found, ward = placed.finding, sheet.ward
    nurse = ward.nurse_by_id[found.nurse_id] if found.nurse_id else None
    cells: list[Element | str] = [
        badge(placed.level),
        type_name(found.type),
        element("bdi", nurse.name or nurse.id, dir="auto") if nurse else NOTHING,
        day_name(ward.day(sheet.day(found.day))) if found.day else NOTHING,
        found.shift or NOTHING,
        _to_place(placed),
    ]
    return labelled_row(names, cells, id=placed.anchor)


def _rules(ward: Ward) -> Element:
    about = f"As the ward's file sets them, in the time zone {ward.time_zone}. A limit counts findings."
    both = [_values("Rule", rule_rows(ward)), _values("Limit of fairness", limit_rows(ward))]
    return _card("rules", "The ward's rules", about, element("div", *both, class_="rules"))


def _values(name: str, rows: Sequence[tuple[str, str]]) -> Element:
    head = element("tr", element("th", name, scope="col"), element("th", "Value", scope="col"))
    body = [element("tr", element("th", title, scope="row"), element("td", value)) for title, value in rows]
    return element("table", element("caption", name), element("thead", head), element("tbody", *body))
