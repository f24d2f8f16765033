"""What each nurse gets: hours, nights, weekends, holidays, wishes, score, as numbers and as bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from wavegraph.app.pages.frame import scrolled
from wavegraph.app.pages.markup import element
from wavegraph.app.roster.page.anchors import AnchoredFinding, Sheet, nurse_anchor
from wavegraph.app.roster.page.words import amount, finding_title, hours
from wavegraph.tools.roster.checks.measures import Share
from wavegraph.tools.roster.ward.finding_types import FindingType

BAR_PX = 8
BEST_SCORE = 100.0


@dataclass(frozen=True)
class Measure:
    """A number of one nurse; `size` and `mark` are places on the column's bar, 0 to 1, before it is scaled."""

    text: str
    title: str
    size: float | None = None
    """None = no bar: nothing was to be measured."""
    mark: float | None = None


@dataclass(frozen=True)
class FairnessColumn:
    name: str
    about: str
    types: tuple[FindingType, ...]
    """Findings that colour the number and that it leads to."""
    measures: Sequence[Measure]
    most: float
    """The number that fills a bar."""


def fairness(sheet: Sheet) -> Element:
    shares, columns = sheet.report.empathy.shares, _columns(sheet)
    table = element(
        "table",
        element("caption", "Each nurse's share"),
        element(
            "thead",
            element(
                "tr",
                element("th", "Nurse", scope="col", class_="who"),
                *(element("th", column.name, scope="col", title=column.about) for column in columns),
            ),
        ),
        element("tbody", *(_row(sheet, n, share, columns) for n, share in enumerate(shares))),
        class_="fair",
    )
    return scrolled(table, "Each nurse's share", "scroll tall")


def _row(sheet: Sheet, n: int, share: Share, columns: Sequence[FairnessColumn]) -> Element:
    nurse = sheet.ward.nurse_by_id[share.nurse_id]
    name = element("a", element("bdi", nurse.name or nurse.id, dir="auto"), href=f"#{nurse_anchor(n)}")
    head = element("th", name, scope="row", class_="who", title=f"{nurse.name} {nurse.id}".strip())
    return element("tr", head, *(_cell(column, n, _found(sheet, share, column.types)) for column in columns))


def _found(sheet: Sheet, share: Share, types: tuple[FindingType, ...]) -> AnchoredFinding | None:
    return next((placed for placed in sheet.by_nurse[share.nurse_id] if placed.finding.type in types), None)


def _cell(column: FairnessColumn, n: int, found: AnchoredFinding | None) -> Element:
    measure = column.measures[n]
    level = found.level if found else ""
    number: Element | str = measure.text
    if found:
        number = element("a", measure.text, href=f"#{found.anchor}", class_=f"badge {level}")
    title = "; ".join(part for part in (measure.title, finding_title(found.finding) if found else "") if part)
    drawn = element("div", element("span", number), *_bar(measure, column.most, level), class_="measure")
    return element("td", drawn, data_column=column.name, **({"title": title} if title else {}))


def _bar(measure: Measure, most: float, level: str) -> list[Element]:
    if measure.size is None or not most:
        return []
    parts = [
        element("rect", class_="rest", width="100%", height=BAR_PX),
        element("rect", class_=f"fill {level}".strip(), width=f"{100 * measure.size / most:.1f}%", height=BAR_PX),
    ]
    if measure.mark is not None:
        at = f"{100 * measure.mark / most:.1f}%"
        parts.append(element("line", class_="least", x1=at, x2=at, y1=-1, y2=BAR_PX + 1))
    return [element("svg", *parts, class_="meter", height=BAR_PX, aria_hidden="true")]


def _columns(sheet: Sheet) -> list[FairnessColumn]:
    shares, scores = sheet.report.empathy.shares, sheet.report.empathy.scores
    return [
        FairnessColumn("Hours", "Paid hours, of those by contract", ("contract_hours", "underutilization", "overwork"),
               [_hours(share) for share in shares], max(max(share.credited_minutes, share.target_minutes or 0) for share in shares)),
        FairnessColumn("Nights", "Night shifts", ("night_concentration",),
               [_counted(share.nights, share.nights_above) for share in shares], max(share.nights for share in shares)),
        FairnessColumn("Weekends", "Weekends with work", ("weekends", "weekend_concentration"),
               [_counted(share.weekends, share.weekends_above) for share in shares],
               max(share.weekends for share in shares)),
        FairnessColumn("Holidays", "Shifts on public holidays", (), [_counted(share.holidays, None) for share in shares],
               max(share.holidays for share in shares)),
        FairnessColumn("Wishes", "Weight of the wishes granted, of all", ("wish",), [_wishes(share) for share in shares], 1.0),
        FairnessColumn("Score", "100 = nothing found", (),
               [Measure(f"{scores[share.nurse_id]:g}", "of 100", scores[share.nurse_id]) for share in shares], BEST_SCORE),
    ]  # fmt: skip


def _hours(share: Share) -> Measure:
    counted, target = share.credited_minutes, share.target_minutes
    leave = f", {hours(share.leave_minutes)} h of it leave" if share.leave_minutes else ""
    if target is None:
        return Measure(hours(counted), f"{hours(counted)} h{leave}, no hours by contract", counted)
    title = f"{hours(counted)} h{leave}, {hours(target)} h by contract"
    return Measure(f"{hours(counted)} / {hours(target)}", title, counted, target)


def _counted(own: int, above: float | None) -> Measure:
    title = (
        ""
        if not above
        else f"{amount(abs(above))} {'above' if above > 0 else 'below'} the mean, counting the period before"
    )
    return Measure(str(own), title, own)


def _wishes(share: Share) -> Measure:
    if not share.wish_weight:
        return Measure("–", "no wishes")
    title = f"wishes of weight {share.wish_granted} of {share.wish_weight} granted"
    return Measure(f"{share.wish_granted} / {share.wish_weight}", title, share.wish_granted / share.wish_weight)
