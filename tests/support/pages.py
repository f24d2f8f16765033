"""Reads a page as a browser would: what is nested in what, and the tables by their section."""

from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "hr", "img", "link"})


class Page(HTMLParser):
    """Raises AssertionError where a tag is closed that is not open, or left open."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        """By the id of the section: the texts of each row of the body, drawings left out."""
        self.texts: list[str] = []
        self._open: list[str] = []
        self._section = ""
        self._in_drawing = False
        self.feed(html)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "section":
            self._section = given.get("id") or ""
        if tag in ("td", "th"):
            self._in_drawing = given.get("class") == "drawing"
        if "tbody" in self._open and tag == "tr":
            self.tables.setdefault(self._section, []).append([])
        if "tbody" in self._open and tag == "td" and not self._in_drawing:
            self.tables[self._section][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID, f"<{tag} /> is open to a browser"
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, f"</{tag}> closes another tag"

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.texts.append(data)
        if "tbody" in self._open and "td" in self._open and not self._in_drawing:
            self.tables[self._section][-1][-1] += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of this name."""
        return [attributes for name, attributes in self.tags if name == tag]
