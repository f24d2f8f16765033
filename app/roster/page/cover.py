"""How many nurses are on each shift of each day, against the demand."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from wavegraph.app.pages.frame import scrolled
from wavegraph.app.pages.markup import element
from wavegraph.app.roster.page.anchors import AnchoredFinding, CoverRow, Sheet, StaffedDemand, cover_anchor
from wavegraph.app.roster.page.grid import day_heads, day_kind, days_class, month_heads, short_day
from wavegraph.app.roster.page.words import day_name, finding_title

STATES = {
    "short": "below the minimum",
    "below": "below the target",
    "met": "as wanted",
    "over": "more than wanted",
}
SIGNS = {"short": "!", "below": "↓", "met": "", "over": "↑"}
"""Before the number, so that the colour is not the only difference."""
BAR_PX = 8


def coverage(sheet: Sheet) -> Element:
    heads = [
        element("tr", element("th", "Shift", rowspan=2, scope="col", class_="who"), *month_heads(sheet.ward)),
        element("tr", *day_heads(sheet.ward)),
    ]
    rows = [
        element("tr", _row_head(sheet, row), *(_cell(sheet, n, day) for day in range(sheet.ward.days)))
        for n, row in enumerate(sheet.cover_rows)
    ]
    table = element(
        "table",
        element("caption", "Nurses on each shift and day"),
        element("thead", *heads),
        element("tbody", *rows),
        class_=f"{days_class(sheet.ward.days)} cover",
    )
    return scrolled(table, "Nurses on each shift and day")


def _row_head(sheet: Sheet, row: CoverRow) -> Element:
    shift, skill = row
    name = sheet.ward.shift_by_id[shift].name
    about = f"with {skill}" if skill else name
    return element("th", element("b", shift), element("small", about), scope="row", class_="who",
                   title=f"{shift} {name}{f', nurses with {skill}' if skill else ''}")  # fmt: skip


def _cell(sheet: Sheet, row: int, day: int) -> Element:
    """Empty where nothing is asked for."""
    covers = sheet.covers.get((row, day), [])
    kinds = day_kind(sheet.ward, day)
    attributes = {"class": kinds} if kinds else {}
    found = sheet.at(cover_anchor(row, day))
    titles = [
        *(_staffing_title(sheet, cover) for cover in covers),
        *(finding_title(placed.finding) for placed in found),
    ]
    inside = [part for cover in covers for part in (_number(cover, found), _bar(cover))]
    return element(
        "td",
        *inside,
        id=cover_anchor(row, day),
        data_day=short_day(sheet.ward, day),
        **attributes,
        **({"title": "; ".join(titles)} if titles else {}),
    )


def _staffing_title(sheet: Sheet, cover: StaffedDemand) -> str:
    demand = cover.demand
    skill = f" with {demand.skill}" if demand.skill else ""
    return (
        f"{day_name(demand.day)}, {demand.shift}: {cover.present}{skill}, at least {demand.minimum}, "
        f"target {demand.target}: {STATES[cover.state]}"
    )


def _number(cover: StaffedDemand, found: Sequence[AnchoredFinding]) -> Element:
    """Framed where it is in breach, also for another reason than its number."""
    inside = [element("b", f"{SIGNS[cover.state]}{cover.present}"), element("small", f"/{cover.demand.target}")]
    if not found:
        return element("span", *inside, class_=f"count {cover.state}")
    return element("a", *inside, href=f"#{found[0].anchor}", class_=f"count {cover.state} found {found[0].level}")


def _bar(cover: StaffedDemand) -> Element:
    """Filled by those present, a line at the minimum; the whole width is the target, or more where more are there."""
    whole = max(cover.present, cover.demand.target, 1)
    parts = [
        element("rect", class_="rest", width=f"{100 * cover.demand.target / whole:.0f}%", height=BAR_PX),
        element("rect", class_=f"cover-{cover.state}", width=f"{100 * cover.present / whole:.0f}%", height=BAR_PX),
    ]
    if 0 < cover.demand.minimum < whole:
        at = f"{100 * cover.demand.minimum / whole:.0f}%"
        parts.append(element("line", class_="least", x1=at, x2=at, y1=-1, y2=BAR_PX + 1))
    return element("svg", *parts, class_="meter", height=BAR_PX, aria_hidden="true")


def coverage_key() -> Element:
    states = [
        element(
            "span", element("i", class_=f"swatch cover-{state}", aria_hidden="true"), f"{SIGNS[state]} {name}".strip()
        )
        for state, name in STATES.items()
    ]
    least = element("span", element("i", class_="least-key", aria_hidden="true"), "minimum")
    return element("p", *states, least, class_="key")
