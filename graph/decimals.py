"""Numbers as a person reads them: never in powers of ten, which `:g` writes for large and for small ones."""


def decimal(amount: float, places: int = 2, mark: str = "") -> str:
    """At most so many decimals, at least one, and only those that are needed: 9074713, 130.5. `mark`: between thousands."""
    rounded = round(amount, places) + 0.0  # no minus before a zero
    return f"{rounded:{mark}.{places}f}".rstrip("0").rstrip(".")
