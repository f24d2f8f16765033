"""The question before the first call of a read that only its server calls one: the yes is to the tool, as it is now."""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any

from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.language import say
from wavegraph.graph.ledger import canonical


def asked_once(tool: DomainTool) -> Approval:
    """A person is asked once in a thread, and again when the tool's name or the schema of its arguments is another."""
    own = tool.tool.args_schema
    text = canonical([tool.name, own if isinstance(own, dict) else tool.argument_schema])
    form = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return Approval(prepare=partial(_terms, tool.name, form), restate=_restatement, once=form)


async def _terms(tool: str, form: str, args: Mapping[str, Any], settings: Any) -> Terms:
    return {"details": {"tool": tool, "args": dict(args), "form": form}, "valid_until": None}


def _restatement(details: Mapping[str, Any], language: str) -> str:
    return say("first_use", language, tool=details["tool"], args=canonical(details["args"]))
