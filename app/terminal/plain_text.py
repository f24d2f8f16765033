"""Text from files, safe to print on a terminal."""


def plain(text: str) -> str:
    """In one line, without the control characters that a file may hold and a terminal would obey."""
    return " ".join("".join(each for each in text if each.isprintable() or each.isspace()).split())


def plain_lines(text: str) -> str:
    """The same, line by line."""
    return "\n".join(map(plain, text.split("\n")))
