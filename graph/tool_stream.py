"""The calls on the server's newer protocol: channel `tools`, as its clients draw them."""

from typing import Any, ClassVar

from langgraph.stream import CustomTransformer, ProtocolEvent, StreamChannel, StreamTransformer

from wavegraph.graph.events import is_event


class ToolCalls(StreamTransformer):
    """Puts `tool_started` and `tool_finished` on the channel `tools`: with the arguments that the event
    shows, which are masked, and without results, which stay in the output."""

    _native = True
    required_stream_modes: ClassVar[tuple[str, ...]] = ("custom",)

    def __init__(self, scope: tuple[str, ...] = ()) -> None:
        super().__init__(scope)
        self._calls: StreamChannel[dict[str, Any]] = StreamChannel("tools")

    def init(self) -> dict[str, Any]:
        return {"tools": self._calls}

    def process(self, event: ProtocolEvent) -> bool:
        params, own = event["params"], event["method"] == "custom" and event["params"]["namespace"] == list(self.scope)
        if own and is_event(params["data"]) and (call_event := _as_call(params["data"])):
            self._calls.push(call_event)
        return True


def _as_call(event: dict[str, Any]) -> dict[str, Any] | None:
    """One of our events as the protocol's; None = it is not about one call."""
    match event.get("event"):
        case "tool_started":
            about = {"tool_name": event["tool"], "input": event["args"]}
            return {"event": "tool-started", "tool_call_id": event["id"], **about}
        case "tool_finished" if event["error"] and event["status"] != "partial":
            return {"event": "tool-error", "tool_call_id": event["id"], "message": event["error"]}
        case "tool_finished":
            figures = {"status": event["status"], "elapsed_s": event["elapsed_s"]}
            return {"event": "tool-finished", "tool_call_id": event["id"], "output": figures}
    return None


TRANSFORMERS = (CustomTransformer, ToolCalls)
"""For `compile(transformers=…)`: clients of the server's newer protocol get none of our events without them."""
