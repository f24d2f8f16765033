"""Names for tools of several servers: unique, in the letters that model providers take, and the same every time."""

import hashlib
import re
from collections.abc import Sequence
from unicodedata import normalize

LONGEST = 64
"""Characters that every provider takes."""
_MARK = 6
"""Characters that tell two names apart that would be the same."""


def unique_names(tools: Sequence[tuple[str, str]]) -> list[str]:
    """A name for each `(server, tool)`: both words, and a mark of its own where two would be the same, one is too long, or a
    word has no letter that is taken."""
    plain = [_joint_name(_word(server), _word(tool)) for server, tool in tools]
    return [
        name if plain.count(name) == 1 and len(name) <= LONGEST and all(map(_word, own)) else _marked_name(name, own)
        for name, own in zip(plain, tools, strict=True)
    ]


def _word(name: str) -> str:
    """In ASCII letters, digits and `_`; what has no such spelling is lost."""
    ascii_only = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "_", ascii_only).strip("_")


def _joint_name(server: str, tool: str) -> str:
    if tool == server or tool.startswith(f"{server}_"):
        return tool  # `git_status` of `git`
    return f"{server}_{tool}".strip("_") or "tool"


def _marked_name(name: str, own: tuple[str, str]) -> str:
    mark = hashlib.blake2b("\0".join(own).encode(errors="surrogatepass"), digest_size=_MARK // 2).hexdigest()
    return f"{name[: LONGEST - _MARK - 1].rstrip('_')}_{mark}"
