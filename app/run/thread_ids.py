"""The ids of conversations."""

import uuid


def new_thread_id() -> str:
    return uuid.uuid4().hex[:12]


def is_thread_id(text: str) -> bool:
    """Whether a database can hold it: text without NUL, and no bytes that are no UTF-8, which arrive as surrogates."""
    return not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)
