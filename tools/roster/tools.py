"""The roster's tools: five read the ward; the others apply requests, solve a round, report, compare and publish, and those
of `advice_tools` answer questions about a roster."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, TypeVar

from langchain_core.tools import InjectedToolArg, tool

from wavegraph.graph.approval import Approval, Choice, Terms
from wavegraph.graph.domain_tool import DomainTool, read, write
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import KnownRoster, report_now, roster_to_publish
from wavegraph.tools.roster.advice_tools import advice_tools
from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.answers.receipts import changes_receipt, fails, publication_receipt
from wavegraph.tools.roster.arguments import (
    AmendRequest,
    GenerateRequest,
    LockedCell,
    OtherPrices,
    PublishRequest,
    Raised,
    Rework,
    RosterRequest,
    WardRequest,
    WhatIfRequest,
)
from wavegraph.tools.roster.dialogue.amending import all_asked, amended, rows_of, settled
from wavegraph.tools.roster.dialogue.elsewhere import TakenOver, elsewhere, still_ahead, taken_over, who_left
from wavegraph.tools.roster.dialogue.kept import kept_changes
from wavegraph.tools.roster.dialogue.publishing import (
    brief_changes,
    changes_terms,
    earlier_round,
    missing_since,
    restate_changes,
    restate_publication,
    terms_of,
    why_not_told,
)
from wavegraph.tools.roster.look_tool import look_tool
from wavegraph.tools.roster.loop.generation import generate
from wavegraph.tools.roster.loop.swaps import moved_cells
from wavegraph.tools.roster.records import (
    Amended,
    Change,
    ChangeKept,
    DemandSummary,
    Generated,
    MovedCell,
    PastSummary,
    Publication,
    Reported,
    RequestSummary,
    RosterPeriod,
    RulesSummary,
    StaffSummary,
    WhatIf,
    period_of,
)
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import PublicationDecision, StoredRoster
from wavegraph.tools.roster.summaries import demand_of, past_of, reported, requests_of, rules_of, staff_of
from wavegraph.tools.roster.told import Line, refusal, told
from wavegraph.tools.roster.versions.called import ward_called
from wavegraph.tools.roster.versions.decisions import Version, published_by, published_of, version_told, versions_of
from wavegraph.tools.roster.versions.differences import changes_between
from wavegraph.tools.roster.versions.following import Known, following, require_before
from wavegraph.tools.roster.versions.log import versions_here, who_decides
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Repair, Wards
from wavegraph.tools.roster.what_if.changes import changed, same_days
from wavegraph.tools.roster.what_if.compare import TODAY, Effort, Standing, as_it_stands, compared, differences

R = TypeVar("R", bound=RosterPeriod)
Run = Annotated[RosterSettings, InjectedToolArg]
YES = ("publish", "publish it", "approve", "approved")
"""Words that approve a publication, besides those that always mean yes."""
NO = ("reject", "reject it")
FILE_S_OWN = "none"
"""The setting `after`: what the ward's file says of the days before."""


LOOKS: Sequence[tuple[str, str, Callable[..., Any], type[RosterPeriod]]] = (
    (
        "get_staff",
        "Who works on the ward: names, grades, skills, contract hours, who begins tired.",
        lambda ward, name, lines, settings: staff_of(ward, name, lines),
        StaffSummary,
    ),
    (
        "get_demand",
        "How many are needed on which shifts.",
        lambda ward, name, lines, settings: demand_of(ward, name),
        DemandSummary,
    ),
    (
        "get_requests",
        "Leave, wishes, settled cells and pairs.",
        lambda ward, name, lines, settings: requests_of(ward, name),
        RequestSummary,
    ),
    (
        "get_rules",
        "The ward's rules and the base price of each kind of penalty.",
        lambda ward, name, lines, settings: rules_of(ward, name, settings.penalties),
        RulesSummary,
    ),
    (
        "get_last_period",
        "What is known of the period before: last days, nights and weekends worked.",
        lambda ward, name, lines, settings: past_of(ward, name),
        PastSummary,
    ),
)
"""The tools that read a ward: name, what for, and the summary of the ward, its hash, what a repair leaves out, and the settings."""


def roster_tools(wards: Wards) -> Sequence[DomainTool]:
    """The tools over the wards that `wards` knows."""
    store = wards.store

    async def ward_for(
        ward: str, start: date | None, days: int | None, published_on: date | None, settings: RosterSettings,
        roster_id: str | None, made_before: str | None,
    ) -> tuple[Ward, str, list[Line]]:  # fmt: skip
        """The ward, its hash, and what it does not take over from the roster that it repairs."""
        today, own, lines = settings.today or date.today(), list[Change](), list[Line]()
        repair = Repair(settings.repair, settings.change_weight, settings.freeze_until) if settings.repair else None
        version = await published_as(roster_id) if roster_id is not None else None
        if roster_id is not None and version is None:
            stored = await asyncio.to_thread(store.stored_roster, roster_id)
            if (version := await in_its_place(roster_id)) is None:
                own = await asyncio.to_thread(store.asked, stored.ward_hash)
                return await with_days_after(await asyncio.to_thread(store.ward, stored.ward_hash), own, [])
            own, lines = (
                await asyncio.to_thread(store.asked, stored.ward_hash),
                [told("made_from_newer", version=version_told(version))],
            )
            published_on = max(today, min([published_on or today, *(each.first for each in own if each.first)]))
        elif published_on is not None:
            version = await published_at(ward, published_on)
        elif version is not None:
            published_on = max(today, version.start)
        if version is not None and published_on is not None:
            frozen = settings.freeze_until or published_on - timedelta(days=1)
            repair = Repair(version.roster_id, settings.change_weight, frozen)
            start, days = version.period
        asked = list[Change]()
        found = await asyncio.to_thread(wards.look, ward, start, days, today=today, repair=repair)
        if repair:
            found, asked, left_out = await asyncio.to_thread(repairing, found, repair.roster_id, own)
            lines = [*lines, *left_out]
        if earlier := await rosters_before(found, settings.after, made_before):
            found = await asyncio.to_thread(following, found, earlier)
        return await with_days_after(found, asked, lines)

    async def with_days_after(ward: Ward, asked: Sequence[Change], lines: list[Line]) -> tuple[Ward, str, list[Line]]:
        """Keep the ward with the days right after it as they are published now."""
        ward = await versions_here(store).with_days_after(ward)
        return ward, await asyncio.to_thread(store.keep_ward, ward, asked), lines

    def repairing(ward: Ward, roster_id: str, own: Sequence[Change]) -> TakenOver:
        """The ward with what was asked for of the roster that it repairs, then of a further one."""
        stored = store.stored_roster(roster_id)
        repaired = store.ward(stored.ward_hash)
        taken = taken_over(ward, repaired, all_asked(repaired, store.asked(stored.ward_hash), own))
        return taken._replace(told=[*who_left(ward, repaired, stored.roster), *taken.told])

    async def in_its_place(roster_id: str) -> Version | None:
        """The version that is published for the days of a roster which it replaced, or which repairs an earlier one."""
        versions = versions_here(store)
        ward, _, log = await versions.find(roster_id)
        head, why_not = await versions.in_the_way(ward, roster_id)
        listed = versions_of(log)
        was_replaced = any((each.roster_id, each.status) == (roster_id, "replaced") for each in listed)
        is_stale = why_not is not None and why_not.code == "conflict"
        if head is None or not (was_replaced or is_stale):
            return None
        await versions.made(head.roster_id)
        return head

    async def published_at(ward: str, day: date) -> Version:
        """The version that is published for a day, its roster kept here. Raises ToolRefusal `nothing_published`."""
        versions = versions_here(store)
        named = await ward_called(ward, wards, versions)
        published = published_of(await versions.versions(named))
        found = next((each for each in published if each.start <= day <= each.end), None)
        if found is None:
            listed = ", ".join(map(str, published)) or "none"
            raise ToolRefusal(
                "nothing_published", f"no roster of {named.name} is published for {day}; published: {listed}"
            )
        await versions.made(found.roster_id)
        return found

    async def published_as(roster_id: str) -> Version | None:
        _, _, log = await versions_here(store).find(roster_id)
        return next((each for each in published_of(versions_of(log)) if each.roster_id == roster_id), None)

    async def versions_for(ward: Ward) -> Sequence[Version]:
        """What is published of the ward, by first day."""
        return published_of(await versions_here(store).versions(ward))

    async def rosters_before(ward: Ward, after: str | None, made_before: str | None) -> Sequence[Known]:
        """Those that a roster of the ward follows. `made_before`: one that comes last of them, published or not."""
        if after == FILE_S_OWN:
            return []
        published = await versions_here(store).followed(ward) if after is None else []
        last = after or made_before
        if last is None or (after is None and await published_as(last)):
            return published
        before = await versions_here(store).earlier(last)
        require_before(ward, before)
        return [*published, before]

    def look_at(name: str, about: str, summary: Callable[..., R], result: type[R]) -> DomainTool:
        """A tool that tells one side of a ward."""

        @tool(name, args_schema=WardRequest, description=about)
        async def look(
            ward: str,
            settings: Run,
            start_date: date | None = None,
            num_days: int | None = None,
            published_on: date | None = None,
            roster_id: str | None = None,
            after: str | None = None,
        ) -> result:  # type: ignore[valid-type]  # the engine reads what the result is
            return summary(
                *await ward_for(ward, start_date, num_days, published_on, settings, roster_id, after), settings
            )

        return read(look, refer_to=["ward_hash"])

    @tool(args_schema=AmendRequest)
    async def apply_requests(
        ward_hash: str, changes: list[Change], settings: Run, not_held: Sequence[str] = ()
    ) -> Amended:
        """Put what a person asked for into the ward, before it is solved: the manager sees and confirms it."""
        ward, today = await asyncio.to_thread(store.ward, ward_hash), settings.today or date.today()
        others = await asyncio.to_thread(elsewhere, ward, changes, await versions_for(ward), today)
        held = await asyncio.to_thread(still_ahead, ward, changes, today)
        found, words = await asyncio.to_thread(amended, ward, held)
        name = await asyncio.to_thread(store.keep_ward, found, all_asked(found, store.asked(ward_hash), held))
        return Amended(**period_of(found, name), changes=words, not_held=list(not_held), elsewhere=others)

    @tool(args_schema=GenerateRequest)
    async def generate_roster(
        ward_hash: str,
        settings: Run,
        iteration: int = 1,
        penalty_multipliers: Raised | None = None,
        start_from: str | None = None,
        locked: Sequence[LockedCell] = (),
        penalties: OtherPrices | None = None,
        publish: bool | None = None,
        spent_s: float | None = None,
    ) -> Generated:
        """Make a roster of the ward, and check it: one round."""
        request = GenerateRequest(
            ward_hash=ward_hash,
            iteration=iteration,
            penalty_multipliers=penalty_multipliers or {},
            start_from=start_from,
            locked=list(locked),
            penalties=penalties or {},
            publish=publish,
            spent_s=spent_s,
        )
        ward, asked_for = await asyncio.to_thread(to_solve, request)
        return await generate(request, ward, asked_for, store, settings, rows_of)

    def to_solve(request: GenerateRequest) -> tuple[Ward, list[Change]]:
        """The ward with the request's locked cells, and what it holds that a person asked for, those cells last."""
        ward, asked_for = store.ward(request.ward_hash), store.asked(request.ward_hash)
        if not request.locked:
            return ward, asked_for
        changed, _ = amended(ward, settled(request.locked))
        return changed, all_asked(changed, asked_for, settled(request.locked))

    @tool(args_schema=RosterRequest)
    async def get_report(roster_id: str) -> Reported:
        """Whether a roster passes, what failed, each nurse's hours, nights, weekends, wishes and score."""
        ward, made = await asyncio.to_thread(report_on, roster_id)
        return made.model_copy(update={"status": await status_of(ward, roster_id)})

    def report_on(roster_id: str) -> tuple[Ward, Reported]:
        stored = store.stored_roster(roster_id)
        ward = store.ward(stored.ward_hash)
        return ward, reported(roster_id, ward, stored.ward_hash, store.report(roster_id), kept_in(stored))

    async def status_of(ward: Ward, roster_id: str) -> str:
        """As `Reported` has it."""
        versions = versions_here(store)
        listed = await versions.versions(ward)
        unknown = "none" if versions.is_lasting else ""
        return next((each.status for each in listed if each.roster_id == roster_id), unknown)

    @tool(args_schema=WhatIfRequest)
    async def what_if(
        ward_hash: str,
        changes: list[str],
        settings: Run,
        seconds: float | None = None,
        roster_id: str | None = None,
    ) -> WhatIf:
        """Figures of the roster or ward as it is, and with each change; nothing is kept."""
        ward = await asyncio.to_thread(store.ward, ward_hash)
        stands = await asyncio.to_thread(that_stands, ward, ward_hash, roster_id) if roster_id else None
        effort = Effort(
            seconds=seconds or settings.time_limit_s, work=settings.work_limit, seed=settings.seed,
            penalties=settings.penalties, **(stands.as_made if stands else {}),
        )  # fmt: skip
        if stands:
            ward, ward_hash = stands.ward, stands.ward_hash
        today = settings.today or date.today()

        def other(name: str) -> Ward:
            return same_days(ward, wards.look(name, ward.start, ward.days, today=today))

        wanted = {text: changed(ward, text, other) for text in changes}
        return await what_if_of(ward, ward_hash, wanted, effort, stands)

    def that_stands(ward: Ward, ward_hash: str, roster_id: str) -> Standing | None:
        """With its own ward where it does not fit this one; None = it is not known how it was made, as it was read from a file."""
        stored = store.stored_roster(roster_id)
        fits = not misfits(ward, stored.roster)
        own, name = (ward, ward_hash) if fits else (store.ward(stored.ward_hash), stored.ward_hash)
        rounds = (each for each in store.rounds(roster_id) if each.roster_id == roster_id and each.cost is not None)
        return next((Standing(roster_id, own, name, stored.roster, made) for made in rounds), None)

    @tool(args_schema=PublishRequest)
    async def publish_roster(
        roster_id: str, as_draft: bool = False, only_draft: bool = False, asked: int = 1
    ) -> Publication:
        """Publish a roster, or keep it as a draft: the manager is asked first."""
        stored = await asyncio.to_thread(store.stored_roster, roster_id)
        ward = await asyncio.to_thread(store.ward, stored.ward_hash)
        decided = await decide(ward, roster_id, as_draft or only_draft)
        return Publication(**period_of(ward, stored.ward_hash), roster_id=roster_id, **decided)

    async def decide(ward: Ward, roster_id: str, as_draft: bool) -> dict[str, Any]:
        """Of the `Publication`. As the terms say, what cannot be published is kept as a draft."""
        if not await asyncio.to_thread(store.holds, roster_id):
            raise ToolRefusal("not_kept", "the roster could not be written, so nothing can be decided about it")
        if not (versions := versions_here(store)).is_lasting:
            await asyncio.to_thread(store.decide, PublicationDecision(roster_id=roster_id, as_draft=as_draft))
            return {"as_draft": as_draft}
        head, why_not = await versions.in_the_way(ward, roster_id)
        as_draft = as_draft or why_not is not None
        version = await versions.decide(
            "draft" if as_draft else "publish", roster_id, by=who_decides(),
            replaces=head.roster_id if head else None,  # the terms name it
        )  # fmt: skip
        withdrawn = bool(as_draft and head and head.roster_id == roster_id)
        why = why_not_told(head, why_not) if why_not else ""
        return {"as_draft": as_draft, "version": version.number, "withdrawn": withdrawn, "why_draft": why}

    def kept_in(stored: StoredRoster) -> list[ChangeKept]:
        return kept_changes(store.ward(stored.ward_hash), stored.roster, store.asked(stored.ward_hash))

    async def publication(args: Mapping[str, Any], settings: RosterSettings) -> Terms:
        of = await roster_to_publish(args["roster_id"], versions_here(store))
        place, as_draft = await place_in_words(of, bool(args.get("only_draft")))
        return await asyncio.to_thread(terms, of, place, as_draft, settings.today or date.today())

    def terms(of: KnownRoster, place: Sequence[Line], as_draft: bool, today: date) -> Terms:
        grounds, remarks = store.remarks("grounds", of.roster_id), store.remarks("remarks", of.roster_id)
        report, kept = report_now(of, store), kept_in(of.stored)
        prices, rounds = store.remarks("prices", of.roster_id), store.rounds(of.roster_id)
        begun_from, moved = moved_in(of)
        return terms_of(
            of.roster_id, of.ward, report, grounds, remarks, kept, [*earlier_round(rounds, of.roster_id), *place],
            as_draft=as_draft, prices=prices, begun_from=begun_from, moved=moved, today=today, rounds=rounds,
        )  # fmt: skip

    def moved_in(of: KnownRoster) -> tuple[str, list[MovedCell]]:
        """The roster that was changed by request, and what differs from it besides."""
        if not (begun := [str(each) for each in store.remarks("begun", of.roster_id)]):
            return "", []
        before = store.stored_roster(begun[0])
        asked_before = store.asked(before.ward_hash)
        asked = [each for each in store.asked(of.stored.ward_hash) if each not in asked_before]
        return begun[0], moved_cells(store.ward(of.stored.ward_hash), before.roster, of.stored.roster, asked, rows_of)

    async def place_in_words(of: KnownRoster, as_draft: bool) -> tuple[list[Line], bool]:
        """What is published already and becomes of it; and whether the roster can only be kept as a draft."""
        versions = versions_here(store)
        head, why_not = await versions.in_the_way(of.ward, of.roster_id)
        if why_not is not None and not as_draft:
            return [told("place.cannot", why=why_not_told(head, why_not))], True
        if head is None or head.roster_id == of.roster_id:
            key = "place.withdrawn" if as_draft else "place.withdrawn_by_yes"
            return [told(key, **published_by(head))] if head else [], as_draft
        if as_draft:
            return [told("place.stays", version=version_told(head))], True
        repaired, before = await versions.made(head.roster_id)
        changed = told("changed_cells", n=len(changes_between(before.roster, of.roster)))
        replaces = told("place.replaces", changed=changed, **published_by(head))
        return [replaces, *who_left(of.ward, repaired, before.roster)], False

    async def changes(args: Mapping[str, Any], settings: RosterSettings) -> Terms:
        asked, today = AmendRequest.model_validate(args), settings.today or date.today()
        if not (asked.changes or asked.not_held):
            raise refusal("needs_change")
        ward = await asyncio.to_thread(store.ward, asked.ward_hash)
        await require_newest(ward)
        others = await asyncio.to_thread(elsewhere, ward, asked.changes, await versions_for(ward), today)
        _, words = await asyncio.to_thread(amended, ward, still_ahead(ward, asked.changes, today))
        return changes_terms(ward, words, asked.not_held, others, today=today)

    async def require_newest(ward: Ward) -> None:
        """Raises ToolRefusal `conflict` where the roster that the ward repairs is not the published one any more."""
        head, why_not = await versions_here(store).in_the_way(ward, "")
        if head and why_not is not None and why_not.code == "conflict":
            about = published_by(head)
            raise ToolRefusal("conflict", worded(told("refused.conflict", **about), "en"), about=about)

    async def cannot_lock(args: Mapping[str, Any], wanted: Rework, settings: RosterSettings) -> str | None:
        stored = await asyncio.to_thread(store.stored_roster, args["roster_id"])
        try:
            await asyncio.to_thread(
                amended, await asyncio.to_thread(store.ward, stored.ward_hash), settled(wanted.locked)
            )
        except ToolRefusal as refusal:
            return refusal.message
        return None

    return [
        *(look_at(*each) for each in LOOKS),
        write(
            apply_requests,
            approval=Approval(
                prepare=changes,
                restate=restate_changes,
                brief=brief_changes,
                yes=("apply them", "that's right", "correct"),
            ),
            receipt=changes_receipt,
            repeatable=True,  # a ward is kept by what it contains
            refer_to=["ward_hash"],
        ),
        read(generate_roster, refer_to=["ward_hash", "roster_id", "end"]),
        read(get_report, refer_to=["ward_hash", "roster_id"]),
        *advice_tools(wards),
        look_tool(wards),
        read(what_if, refer_to=["ward_hash"]),
        # Each request decides anew about the same roster, and writing a decision twice changes nothing.
        write(
            publish_roster,
            approval=Approval(
                prepare=publication,
                restate=restate_publication,
                by_code=fails,
                since=missing_since,
                rivals=("generate_roster",),
                yes=YES,
                no=NO,
                choices={"draft": Choice("keep it as a draft", {"as_draft": True}, labels={"he": "לשמירה כטיוטה"})},
                changes=Rework,
                check_changes=cannot_lock,
            ),
            receipt=publication_receipt,
            repeatable=True,
            refer_to=[],
        ),
    ]


async def what_if_of(
    ward: Ward, ward_hash: str, wards: Mapping[str, Ward], effort: Effort, stands: Standing | None = None
) -> WhatIf:
    """The ward, or its roster that stands, and changes of it side by side. A cancelled call ends the solve, too."""
    stop = threading.Event()
    try:
        first = [await asyncio.to_thread(as_it_stands, stands.ward, stands.roster, stands.made)] if stands else []
        solved = wards if stands else {TODAY: ward, **wards}
        columns = [*first, *await asyncio.to_thread(compared, solved, effort, stop=stop)]
    finally:
        stop.set()
    return WhatIf(
        **period_of(ward, ward_hash), seconds=effort.seconds, columns=columns, differences=differences(columns),
        roster_id=stands.roster_id if stands else None,
    )  # fmt: skip
