"""What a planner is told: always the same first, so that a provider's prompt cache can serve it; then the rules that this
view alone needs."""

from collections.abc import Iterator

from wavegraph.graph.domain import Domain, PlanningView
from wavegraph.graph.model.plan_schema import tool_list
from wavegraph.prompts import render


def instructions_of(domain: Domain) -> str:
    """The same for every request to the domain."""
    writes = any(tool.effect == "write" for tool in domain.registry.values())
    return render(
        "plan",
        domain=domain.prompts.get("plan", ""),
        tools=tool_list(domain),
        writes=f"\n{render('plan_writes')}\n" if writes else "",
    )


def rules_for(view: PlanningView, domain: Domain) -> str:
    """The rules for what only some requests hold; empty = there are none."""
    return "\n\n".join(_rules(view, domain))


def _rules(view: PlanningView, domain: Domain) -> Iterator[str]:
    if view.previous or view.plan or view.feedback:
        yield render("plan_tables")
    if view.previous or view.sent_before:
        yield render("plan_follow_up")
    if view.waiting:
        yield render("plan_waiting")
    if view.feedback:
        yield render(f"plan_again_{view.feedback['source']}")
        if again := domain.prompts.get("plan_again"):
            yield again
