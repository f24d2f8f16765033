"""HTML as a tree of elements, so that no text can become markup."""

from html import escape
from xml.etree.ElementTree import Element

VOID = frozenset({"meta"})
"""Elements that hold nothing and are not closed."""


TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


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
    """The element as HTML that is well-formed XML too; only a style's own text is written as it is."""
    attributes = "".join(f' {name}="{_safe(value)}"' for name, value in made.items())
    if made.tag in VOID:
        return f"<{made.tag}{attributes} />"
    text = made.text or ""
    children = "".join(rendered(child) + _safe(child.tail or "") for child in made)
    return f"<{made.tag}{attributes}>{text if made.tag == 'style' else _safe(text)}{children}</{made.tag}>"


def _safe(text: str) -> str:
    """Escaped, and without what a page may not hold (control characters, half letters) or what turns the text after it
    round (the bidirectional overrides and their like; a word's own direction needs none)."""
    known = text.encode(errors="replace").decode()
    return escape("".join(letter for letter in known if (letter >= " " or letter in "\n\t") and letter not in TURNING))
