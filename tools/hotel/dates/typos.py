"""Which known name a misspelt word is meant for."""

from collections.abc import Iterable


def words_of(text: str) -> list[str]:
    """The words of a table written as text, where a list literal would drown them in quotes."""
    return text.split()


def edits(left: str, right: str, limit: int) -> int:
    """Damerau-Levenshtein distance (neighbours may swap), or `limit + 1` once it is known to be larger."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, char in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def allowed(word: str) -> int:
    """How many edits a word of this length may carry: none below five letters, two from eight on."""
    return 0 if len(word) < 5 else 1 if len(word) < 8 else 2


def close_match(word: str, names: Iterable[str]) -> str | None:
    """The nearest name with the same first letter, within `allowed`; a tie of different names gives the first."""
    limit = allowed(word)
    if not limit:
        return None
    scored = [(edits(word, name, limit), i, name) for i, name in enumerate(names) if name[:1] == word[:1]]
    best = min(scored, default=(limit + 1, 0, ""))
    return best[2] if best[0] <= limit else None
