"""The frame of every page: one file, no scripts, no external resources, light and dark."""

from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from xml.etree.ElementTree import Element

from wavegraph.app.pages.markup import element, rendered
from wavegraph.app.pages.numbers import Headline

NO_NETWORK = "default-src 'none'; style-src 'unsafe-inline'"
COMMON_STYLE = files(__package__) / "page.css"


def framed(title: str, styles: Sequence[Traversable], *body: Element) -> str:
    """A whole page as HTML; `styles`: its own style sheets, added after the common one."""
    html = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", http_equiv="Content-Security-Policy", content=NO_NETWORK),
            element("title", title),
            element("style", "".join(sheet.read_text(encoding="utf-8") for sheet in (COMMON_STYLE, *styles))),
        ),
        element("body", *body),
        lang="en",
    )
    return "<!DOCTYPE html>\n" + rendered(html) + "\n"


def tile(line: Headline, kind: str = "tile") -> Element:
    return element("div", element("h2", line.name), element("p", line.value, class_="value"), element("p", line.about),
                   class_=kind)  # fmt: skip


def scrolled(inside: Element, label: str, kind: str = "scroll") -> Element:
    """A scrollable box, also by keyboard, for content wider than the page."""
    return element("div", inside, class_=kind, tabindex=0, role="region", aria_label=label)


def swatch(kind: str) -> Element:
    return element("i", class_=f"swatch {kind}", aria_hidden="true")
