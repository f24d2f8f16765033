"""A roster's grid as a PNG, for a message or a notice board. Needs Pillow, which is imported when it is used."""

import re
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING

from wavegraph.app.roster.exports.colours import BREACH, HOLIDAY, LEAVE, WEEKEND, shift_fills
from wavegraph.app.roster.page.words import period
from wavegraph.graph.errors import SettingsError
from wavegraph.tools.roster.checks.findings import is_weekend
from wavegraph.tools.roster.ward.ward import Roster, Ward

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

CELL, ROW, NAMES, HEAD, EDGE = 38, 28, 190, 84, 16
"""Pixels: width of a day, height of a row, width of the names, height of the head, blank edge."""
FONTS = ("DejaVuSans.ttf", "Arial Unicode.ttf", "arial.ttf", "Arial.ttf", "LiberationSans-Regular.ttf")
"""Those with Latin and Hebrew letters; without any of them, Pillow's own, which has Latin ones."""
_HEBREW = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def roster_picture(ward: Ward, roster: Roster, mark: str) -> bytes:
    """`mark`: what to know of the roster, below the title and in the file's own. Raises SettingsError where Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw, PngImagePlugin
    except ImportError:
        raise SettingsError("a picture of a roster needs Pillow: pip install 'wavegraph[pictures]'") from None
    width = EDGE * 2 + NAMES + CELL * ward.days
    image = Image.new("RGB", (width, EDGE * 2 + HEAD + ROW * len(ward.nurses)), "white")
    draw, fills, small, usual = ImageDraw.Draw(image), shift_fills(ward), _font(12), _font(14)
    left, top = EDGE + NAMES, EDGE + HEAD
    title, own = f"{ward.name} · {period(ward)}", PngImagePlugin.PngInfo()
    own.add_itxt("Title", f"{title} · {mark}" if mark else title)
    draw.text((EDGE, EDGE), _shown(title), font=_font(20), fill="black")
    draw.text((EDGE, EDGE + 26), mark, font=small, fill=f"#{BREACH}")
    for day in range(ward.days):
        on, x = ward.day(day), left + CELL * day
        if on in ward.holidays or is_weekend(on):
            shade = HOLIDAY if on in ward.holidays else WEEKEND
            draw.rectangle((x, top - 40, x + CELL - 1, top + ROW * len(ward.nurses)), fill=f"#{shade}")
        draw.text((x + CELL / 2, top - 30), f"{on:%a}"[:2], font=small, fill="#555555", anchor="mm")
        draw.text((x + CELL / 2, top - 13), str(on.day), font=usual, fill="black", anchor="mm")
    away = {(row.nurse, ward.index(row.day)) for row in ward.leave if row.shift is None}
    called = row_names(ward)
    for n, nurse in enumerate(ward.nurses):
        y = top + ROW * n
        draw.line((EDGE, y, width - EDGE, y), fill="#dddddd")
        draw.text((EDGE, y + ROW / 2), _cut(_shown(called[n]), usual), font=usual, fill="black", anchor="lm")
        for day, shift in enumerate(roster[nurse.id]):
            x = left + CELL * day
            box = (x + 2, y + 3, x + CELL - 3, y + ROW - 3)
            if shift:
                draw.rounded_rectangle(box, 5, fill=f"#{fills[shift][0]}")
                ink = f"#{fills[shift][1]}"
                font = usual if len(shift) <= 3 else small
                draw.text((x + CELL / 2, y + ROW / 2), shift[:5], font=font, fill=ink, anchor="mm")
            elif (nurse.id, day) in away:
                draw.rounded_rectangle(box, 5, fill=f"#{LEAVE}")
    file = BytesIO()
    image.save(file, "PNG", pnginfo=own)
    return file.getvalue()


def row_names(ward: Ward) -> list[str]:
    """What each nurse's row is called: her name, with the id before it where another is called so."""
    names = Counter(nurse.name for nurse in ward.nurses)
    return [f"{nurse.id} {nurse.name}" if names[nurse.name] > 1 else nurse.name or nurse.id for nurse in ward.nurses]


def _font(size: int) -> "FreeTypeFont | ImageFont":
    from PIL import ImageFont

    for name in FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _shown(text: str) -> str:
    """In the order in which letters are drawn: where the font engine does not turn Hebrew round, it is done here."""
    from PIL import features

    plain = " ".join(text.split())
    return plain[::-1] if _HEBREW.search(plain) and not features.check("raqm") else plain


def _cut(text: str, font: "FreeTypeFont | ImageFont") -> str:
    if font.getlength(text) <= NAMES - 10:
        return text
    while text and font.getlength(text + "…") > NAMES - 10:
        text = text[:-1]
    return text + "…"
