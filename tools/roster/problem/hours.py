"""How many hours a contract asks for."""

from wavegraph.tools.roster.ward.ward import Contract


def contract_minutes(contract: Contract) -> int | None:
    """The contract's hours of the period; the middle of its bounds where it has two; None = it says nothing."""
    if contract.target_minutes is not None or contract.max_minutes is None or not contract.min_minutes:
        return contract.target_minutes
    return (contract.min_minutes + contract.max_minutes) // 2
