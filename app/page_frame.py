"""What every page is set in: one file, no script, nothing from elsewhere, light and dark."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from xml.etree.ElementTree import Element

from wavegraph.app.report_markup import element, rendered
from wavegraph.app.report_tables import Headline

NO_NETWORK = "default-src 'none'; style-src 'unsafe-inline'"
COMMON_STYLE = "page.css"


def framed(title: str, styles: Sequence[str | Path], *body: Element) -> str:
    """A whole page as HTML; `styles` are its own style sheets, which follow the common one: names of those that lie here,
    or paths."""
    html = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", http_equiv="Content-Security-Policy", content=NO_NETWORK),
            element("title", title),
            element("style", "".join(_style(name) for name in (COMMON_STYLE, *styles))),
        ),
        element("body", *body),
        lang="en",
    )
    return "<!DOCTYPE html>\n" + rendered(html) + "\n"


def _style(sheet: str | Path) -> str:
    lies = sheet if isinstance(sheet, Path) else files(__package__).joinpath(sheet)
    return lies.read_text(encoding="utf-8")


def tile(line: Headline, kind: str = "tile") -> Element:
    return element("div", element("h2", line.name), element("p", line.value, class_="value"), element("p", line.about),
                   class_=kind)  # fmt: skip


def scrolled(inside: Element, label: str, kind: str = "scroll") -> Element:
    """A box of its own for what may be wider than the page, which a keyboard can scroll too."""
    return element("div", inside, class_=kind, tabindex=0, role="region", aria_label=label)


def swatch(kind: str) -> Element:
    return element("i", class_=f"swatch {kind}", aria_hidden="true")
