"""The languages of requests: the engine's own sentences in each, and the words that mean yes or no there.

Each is a file of `languages/`, named by its code. A new one is a new file, and its code in `_CODES`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from string import Formatter

from wavegraph.graph.errors import SettingsError

_TABLES = files("wavegraph.graph") / "languages"
CODE = re.compile("[a-z]{2,3}")
"""ISO 639, mostly of two letters."""
SORTS = ("yes", "takes_up", "shown", "right", "acknowledges", "no", "never", "thanks", "polite")
"""Of words that answer a question (`dialogue.consent`): `takes_up` agrees to what was shown last, and so does each of `shown`
before each of `right` (`that's`, `correct`); `acknowledges` agrees, and with thanks only perhaps; `never` stands before a
deed (`don't`); `polite` changes nothing."""


def _table(code: str) -> dict[str, Mapping[str, str]]:
    return dict(json.loads((_TABLES / f"{code}.json").read_text(encoding="utf-8")))


_CODES = ("en", "he", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja")
_shipped_tables = {code: _table(code) for code in _CODES}
_ENGLISH = _shipped_tables["en"]["phrases"]


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language that an agent understands and answers in."""

    code: str
    """ISO 639-1."""
    letters: str
    """Its script, as the inside of a regular expression's character class: `a-z`. Languages with the same are told apart by a
    model."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """The engine's sentences, by the same keys as in English; a missing one is said as shipped, or in English."""
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Those that answer a question, in lower case, by what they mean: `yes`, `no` and more (`SORTS`). Without any the shipped
    ones count; where none are shipped, a yes needs the code of its question."""

    def __post_init__(self) -> None:
        """Raises SettingsError for an unknown phrase, or for one with missing or extra values, and for an unknown sort."""
        for key, phrase in self.phrases.items():
            if key not in _ENGLISH:
                raise SettingsError(f"language {self.code!r} has an unknown phrase {key!r}")
            if (given := _values(phrase)) != (wanted := _values(_ENGLISH[key])):
                raise SettingsError(f"language {self.code!r}: phrase {key!r} has the values {given}, not {wanted}")
        if strangers := sorted(set(self.words) - set(SORTS)):
            raise SettingsError(f"language {self.code!r} has words for {strangers}; the sorts are {', '.join(SORTS)}")

    def __hash__(self) -> int:
        return hash(self.code)

    def letters_in(self, text: str) -> int:
        return len(self._letter.findall(text))

    @cached_property
    def _letter(self) -> re.Pattern[str]:
        return re.compile(f"[{self.letters}]", re.IGNORECASE)


def _values(phrase: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(phrase) if name})


SHIPPED = tuple(Language(code=code, **table) for code, table in _shipped_tables.items())  # type: ignore[arg-type]
"""Of those with the same script the first is meant where nothing says more."""
ENGLISH, HEBREW = USUAL = SHIPPED[:2]
"""What is spoken where nobody says."""

_shipped = {language.code: language for language in SHIPPED}
_given: dict[str, Language] = {}


def know(languages: Sequence[Language]) -> None:
    """Register languages for `say`, also in the place of shipped ones. Raises SettingsError if a code was already given with
    other letters, phrases or words."""
    for language in languages:
        if language != _shipped.get(language.code) and _given.setdefault(language.code, language) != language:
            raise SettingsError(f"language {language.code!r} is already known with other letters, phrases or words")


def say(key: str, language: str, **values: object) -> str:
    """The sentence `key` in `language` (ISO 639-1), in English if the language is unknown."""
    tables = (known.phrases for known in _known(language))
    return next((phrases[key] for phrases in tables if key in phrases), _ENGLISH[key]).format(**values)


def answering(codes: Sequence[str]) -> tuple[Language, ...]:
    """The languages whose words answer a question in one of these; empty = there are no such words."""
    tables = (next((known for known in _known(code) if known.words), None) for code in codes)
    return tuple(filter(None, tables))


def _known(language: str) -> Iterator[Language]:
    """The language with this code as it was given, then as it is shipped."""
    return (languages[language] for languages in (_given, _shipped) if language in languages)


def language_of(text: str, languages: Sequence[Language] = USUAL, before: str | None = None) -> str:
    """Code of the language that most letters of the text belong to, the first on a tie. `before`: what was spoken so far,
    which goes on in a text without letters, or in a script that is also its own.

    E-mail addresses belong to no language.
    """
    words = " ".join(word for word in text.split() if "@" not in word)
    most = max(languages, key=lambda language: language.letters_in(words))
    spoken = next((each for each in languages if each.code == before), None)
    goes_on = spoken is not None and most.letters in spoken.letters
    return before if before and (goes_on or not most.letters_in(words)) else most.code
