"""The secrets that a server is given: from then on no text of this process holds them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from wavegraph.graph.secrets.known import in_environment, names_secret, passwords_in
from wavegraph.graph.secrets.scrubber import process

_PLAIN_HEADERS = frozenset({"accept", "accept-language", "content-type", "user-agent", "mcp-protocol-version"})
SHORTEST_OPAQUE = 20
"""Characters of a part of an address that is a key by its looks."""


def learn_secrets(headers: Mapping[str, str], env: Mapping[str, str], url: str, args: Sequence[str]) -> None:
    """Know what is secret among what a server is given."""
    opaque = filter(is_opaque, env.values())
    process.learn(*_in_headers(headers), *in_environment(env), *opaque, *_in_address(url), *_in_arguments(["", *args]))


def _in_headers(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        if name.lower() not in _PLAIN_HEADERS:
            yield from (value, value.partition(" ")[2])


def _in_address(url: str) -> Iterator[str]:
    """Passwords, and keys in the path: some hosts give each person an address of their own."""
    yield from passwords_in(url)
    parts = urlsplit(url)
    pieces = [*parts.path.split("/"), *(pair.partition("=")[2] for pair in parts.query.split("&"))]
    yield from filter(is_opaque, pieces)


def _in_arguments(args: list[str]) -> Iterator[str]:
    """`--token X`, `--token=X`, `Authorization: Bearer X`, passwords in addresses."""
    for before, word in pairwise(args):
        yield from passwords_in(word)
        if before.startswith("-") and "=" not in before and names_secret(_bare(before)):
            yield word
        name, *values = re.split("[=:]", word, maxsplit=1)
        for value in values:
            yield from passwords_in(value)
            if names_secret(_bare(name)):
                yield from (value.strip(), value.strip().partition(" ")[2])


def _bare(flag: str) -> str:
    return flag.strip().lstrip("-")


def is_opaque(text: str) -> bool:
    """Whether a text is a key by its looks: one long run of letters and digits."""
    return (
        len(text) >= SHORTEST_OPAQUE
        and re.fullmatch(r"[\w-]+", text, re.ASCII) is not None
        and any(map(str.isdigit, text))
        and any(map(str.isalpha, text))
    )
