"""The forms of a model's replies to a ward's manager, and the sentences they stand for: the talk's own words."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from wavegraph.graph.answer.replies import Instructions, OutOfScope, Quote, ReplyForm, Unclear
from wavegraph.graph.answer.words import sentences
from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.domain import Replies
from wavegraph.graph.errors import ReplyRefused
from wavegraph.graph.ledger import data_of, results
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.answers.courtesy import COURTESIES
from wavegraph.tools.roster.answers.phrases import Speaker
from wavegraph.tools.roster.dialogue.cannot import CANNOT, Thing, may_ask_for
from wavegraph.tools.roster.dialogue.intents import read
from wavegraph.tools.roster.wards import Wards

Missing = Literal["ward", "days", "day", "nurse", "other_nurse", "shift", "different", "price"]
MOST_OPTIONS = 12
LONGEST_OPTION = 60


class Greeting(ReplyForm):
    """Small talk and nothing else: a greeting, what you can do here (`help`), thanks, a goodbye."""

    say: Literal["greeting"]
    kind: Literal["hello", "help", "thanks", "goodbye"]


class Ask(ReplyForm):
    """Something needed is missing: all of it at once. `days` are those of a roster, `day` those of a change or a wish,
    `different` what is to be changed. `quote`: the words it is about, where there are several."""

    say: Literal["ask"]
    what: Annotated[list[Missing], Field(min_length=1)]
    quote: Quote | None = None


class Which(ReplyForm):
    __doc__ = (
        f"The words may mean several nurses, wards or shifts: two to {MOST_OPTIONS} `options`, as the request or a result "
        "spells them."
    )

    say: Literal["which"]
    quote: Quote
    options: list[str]


class DateProblem(ReplyForm):
    """A date that does not exist, or days that end before they begin: `quote` holds their words."""

    say: Literal["date_problem"]
    quote: Quote


class Cannot(ReplyForm):
    __doc__ = "It cannot be done here; `thing` says what: " + "; ".join(
        f"`{thing}` ({limit.when})" for thing, limit in CANNOT.items()
    )

    say: Literal["cannot"]
    thing: Thing
    quote: Quote


class NothingWaits(ReplyForm):
    """The request is a bare yes or no, and nothing waits for one."""

    say: Literal["nothing_waits"]


FORMS: Sequence[type[ReplyForm]] = (
    Greeting,
    Ask,
    Which,
    DateProblem,
    Cannot,
    NothingWaits,
    OutOfScope,
    Instructions,
    Unclear,
)


def roster_replies(wards: Wards) -> Replies:
    return Replies(forms=FORMS, text=lambda form, view: _Talk(view, wards).words(form))


@dataclass(frozen=True)
class _Talk(Speaker):
    """The sentences for one request."""

    view: PlanningView
    wards: Wards

    def words(self, form: ReplyForm) -> str:
        match form:
            case Greeting(kind="thanks"):
                return COURTESIES[self.language]["thanks"]
            case Greeting(kind="goodbye"):
                return self.say("goodbye")
            case Greeting():
                makes = self.say("makes", wards=", ".join(self.wards.names))
                return f"{COURTESIES[self.language]['hello']} {makes}" if form.kind == "hello" else makes
            case Ask():
                questions = " ".join(self._question(each) for each in dict.fromkeys(form.what))
                return self._about(form.quote, questions) if form.quote else questions
            case Which():
                return self.say("which_of", words=form.quote, options=" / ".join(self._options(form)))
            case DateProblem():
                asked = read(form.quote, wards=self.wards.names, today=self.view.today)
                if asked.bad_date is None:  # by the calendar, and not by who says so
                    raise ReplyRefused(
                        f"nothing is wrong with {form.quote!r} as a date: plan it, or `ask` for the `days`"
                    )
                return f"{self.say('no_day', day=f'“{form.quote}”')} {self.say('ask_day')}"
            case Cannot():
                self._refuse_what_is_not_asked(form)
                values = {"ward": self.view.settings.ward or "WARD", "id": "ROSTER"}
                return self._about(form.quote, self.say(CANNOT[form.thing].phrase, **values))
            case NothingWaits():
                self._refuse_where_it_may_answer()
                return self.say("nothing_waits")
            case OutOfScope():
                return self._about(form.quote, self.say("not_here_for"))
            case Unclear(quote=None):
                return self.say("unclear")
            case Unclear():
                return self.say("unclear_words", words=form.quote)
        return self.say("no_orders")

    def _about(self, words: str, told: str) -> str:
        return self.say("about_words", words=words, told=told)

    def _question(self, what: Missing) -> str:
        if what == "ward":
            return self.say("which_ward", wards=", ".join(self.wards.names))
        return self.say(f"ask_{what}")

    def _options(self, form: Which) -> list[str]:
        options = list(dict.fromkeys(" ".join(each.split()) for each in form.options))
        if not 2 <= len(options) <= MOST_OPTIONS:
            raise ReplyRefused(f"`options` are two to {MOST_OPTIONS}, not {form.options!r}")
        known = "\n".join(self._known())
        if strange := [each for each in options if not _is_named(each, known)]:
            raise ReplyRefused(f"the option {strange[0]!r} stands in no result and not in the request")
        return options

    def _known(self) -> Iterator[str]:
        """What names people, wards and shifts: the request, the wards, the results of this request and the last one with calls."""
        yield self.view.request["text"]
        yield from self.wards.spoken(self.view.today)
        for ledger in self.view.ledgers:
            for outcome in results(ledger).values():
                yield json.dumps(data_of(outcome, ledger), ensure_ascii=False)
                yield outcome["error"]["message"] if outcome["error"] else ""

    def _refuse_where_it_may_answer(self) -> None:
        if self.view.waiting:
            raise ReplyRefused("a call waits for a yes: it stands in `waits_for_yes`")
        if consent(self.view.request["text"]) is None:
            raise ReplyRefused(
                "the request is no bare yes or no: plan what it asks for, or say what of it is `unclear`"
            )

    def _refuse_what_is_not_asked(self, form: Cannot) -> None:
        around = (each for each in sentences(self.view.request["text"]) if form.quote in each)
        if not may_ask_for(form.thing, next(around, form.quote)):
            when = CANNOT[form.thing].when
            raise ReplyRefused(f"{form.quote!r} does not ask for that ({when}): plan it, or say `unclear`")


def _is_named(option: str, known: str) -> bool:
    """Whether a name stands there as whole words."""
    is_short = bool(option) and len(option) <= LONGEST_OPTION
    return is_short and re.search(rf"(?<!\w){re.escape(option)}(?!\w)", known, re.IGNORECASE) is not None
