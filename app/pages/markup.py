"""HTML as a tree of elements, so that no text can become markup."""

from html import escape
from xml.etree.ElementTree import Element

from wavegraph.app.plain_text import visible

VOID = frozenset({"meta"})
"""Elements without content or end tag."""


def element(tag: str, /, *inside: Element | str, **attributes: str | float) -> Element:
    """An element with children and text; `class_` and `aria_label` are written `class` and `aria-label`."""
    made = Element(tag, {key.rstrip("_").replace("_", "-"): str(value) for key, value in attributes.items()})
    for part in inside:
        if isinstance(part, Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + part
        else:
            made.text = (made.text or "") + part
    return made


def rendered(made: Element) -> str:
    """The element as HTML that is also well-formed XML; only the text of a style is not escaped."""
    attributes = "".join(f' {name}="{_safe(value)}"' for name, value in made.items())
    if made.tag in VOID:
        return f"<{made.tag}{attributes} />"
    text = made.text or ""
    children = "".join(rendered(child) + _safe(child.tail or "") for child in made)
    return f"<{made.tag}{attributes}>{text if made.tag == 'style' else _safe(text)}{children}</{made.tag}>"


def _safe(text: str) -> str:
    """Escaped, without what a page may not hold (control characters, lone surrogates) or would not show as it is (marks of
    direction, which reverse the text after them)."""
    return escape(visible(text))
