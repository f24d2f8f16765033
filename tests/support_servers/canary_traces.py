"""LangSmith on a loopback, its bodies collected."""

from collections.abc import Iterator
from contextlib import contextmanager

from langsmith import Client
from langsmith.run_helpers import tracing_context

from wavegraph.testing import Collected, Loopback

LANGSMITH = {
    "version": "0.10.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": True, "size_limit": 100, "size_limit_bytes": 20_000_000, "scale_up_nthreads_limit": 4,
        "scale_up_qsize_trigger": 1000, "scale_down_nempty_trigger": 4,
    },
}  # fmt: skip
"""What LangSmith tells its clients to do."""


@contextmanager
def traced(left: Collected, key: str) -> Iterator[None]:
    """Everything inside is traced to a loopback, whose bodies are collected as `traces`."""
    with Loopback(left, "traces", LANGSMITH) as loopback:
        client = Client(api_url=loopback.url, api_key=key, auto_batch_tracing=True)
        try:
            with tracing_context(enabled=True, client=client):
                yield
            client.flush()
        finally:
            client.cleanup()
