"""The frame of a drawing on a page."""

from xml.etree.ElementTree import Element

from wavegraph.app.pages.markup import element


def svg(label: str, height: int, *inside: Element, class_: str = "bar") -> Element:
    """`label`: a description for screen readers."""
    return element("svg", element("title", label), *inside, class_=class_, role="img", aria_label=label, width="100%",
                   height=height)  # fmt: skip
