"""Properties in several countries, written as import files and imported: the same three rooms at prices worked out by hand."""

import json
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from wavegraph.tools.hotel.property.importer import ImportReport, import_hotel

ROOMS = "code,name,name_he,base_occ,max_adults,max_children,max_total,size_sqm,aliases"
STANDARD, PENTHOUSE, MAISONETTE = "STDQ", "PENT", "MAIS"


@dataclass(frozen=True)
class Abroad:
    """One hotel, and what its amounts look like. A night in the Standard Queen; the others cost twice and three times that."""

    id: str
    night: str
    """As the files write it."""
    hotel: dict[str, Any]
    two_nights: str
    """Two nights in the Standard Queen, free to cancel, as a guest reads them."""
    saver: str
    """The same ten per cent off and not refundable."""
    saver_night: str
    penthouse: str
    """Two nights there, not refundable."""
    dearer: str
    """By how much the Penthouse costs more than the Standard Queen, both not refundable."""
    budget: str
    """A limit that only the Standard Queen keeps, in a guest's own words."""
    foreign: str
    """A limit in another currency."""
    label: str
    label_he: str
    weekend: tuple[str, str]
    """`next weekend`, said on Friday 20 November 2026."""
    easter: tuple[str, str]
    files: dict[str, str] = field(default_factory=dict)
    """What else is written, by file name."""


ILS = Abroad(
    "ils", "420.50", {"country": "IL"}, "841 NIS", "756.90 NIS", "378.45 NIS", "1,513.80 NIS", "756.90 NIS",
    "under 800 shekels", "under 300 euros", "NIS", "ש״ח", ("2026-11-26", "2026-11-28"), ("2027-03-26", "2027-03-29"),
)  # fmt: skip
EUR = Abroad(
    "eur", "120.50", {"country": "GR", "currency": "EUR", "time_zone": "Europe/Athens", "vat_bp": 1300}, "241 EUR", "216.90 EUR",
    "108.45 EUR", "433.80 EUR", "216.90 EUR", "under €300", "under 900 shekels", "EUR", "EUR", ("2026-11-27", "2026-11-29"),
    ("2027-04-30", "2027-05-03"),
)  # fmt: skip
USD = Abroad(
    "usd", "1130.25", {"country": "US", "currency": "USD", "time_zone": "America/New_York", "weekend_nights": "fri-sun"},
    "2,260.50 USD", "2,034.45 USD", "1,017.23 USD", "4,068.90 USD", "2,034.45 USD", "at most $2,500", "under 2000 euros", "USD",
    "USD", ("2026-11-27", "2026-11-30"), ("2027-03-26", "2027-03-29"),
)  # fmt: skip
JPY = Abroad(
    "jpy", "15,250", {"country": "JP", "currency": "JPY", "time_zone": "Asia/Tokyo"}, "30,500 JPY", "27,450 JPY", "13,725 JPY",
    "54,900 JPY", "27,450 JPY", "under ¥40,000", "under $300", "JPY", "JPY", ("2026-11-27", "2026-11-29"),
    ("2027-03-26", "2027-03-29"),
)  # fmt: skip
KWD = Abroad(
    "kwd", "45.505", {"country": "KW", "currency": "KWD", "time_zone": "Asia/Kuwait"}, "91.010 KWD", "81.909 KWD", "40.955 KWD",
    "163.818 KWD", "81.909 KWD", "under 95.5 dinars", "under 300 dollars", "KWD", "KWD", ("2026-11-26", "2026-11-28"),
    ("2027-03-26", "2027-03-29"),
)  # fmt: skip
HOTELS = (ILS, EUR, USD, JPY, KWD)


def times(night: str, factor: int) -> str:
    """A price of the files, with as many decimals as it came with."""
    return str(Decimal(night.replace(",", "")) * factor)


def files_of(case: Abroad) -> dict[str, str]:
    hotel = {
        "property_id": f"hotel-{case.id}",
        "name": "Harbour House",
        "name_he": "בית הנמל",
        "phone": "+30-1-555-0100",
    }
    prices = {STANDARD: times(case.night, 1), PENTHOUSE: times(case.night, 2), MAISONETTE: times(case.night, 3)}
    on_sale = "2026-11-01,2027-12-31"
    return {
        "hotel.json": json.dumps({**hotel, **case.hotel}, ensure_ascii=False),
        "rooms.csv": f"{ROOMS}\n"
        f"{STANDARD},Standard Queen,קווין סטנדרט,2,2,1,3,20,small room\n"
        f"{PENTHOUSE},Penthouse,פנטהאוז,2,2,2,4,60,roof room|rooftop\n"
        f"{MAISONETTE},Maisonette,מזונט,4,4,2,6,80,\n",
        "rate_plans.csv": "code,name,name_he,board,refundable,cancel_days,price_percent,rates_of\n"
        "FLEX,Flexible,גמיש,RO,yes,2,100,\nSAVER,Saver,חסכוני,RO,no,,90,FLEX\n",
        "rates.csv": "rate_plan,room_type,date_from,date_to,price\n"
        + "".join(f"FLEX,{code},{on_sale},{price}\n" for code, price in prices.items()),
        "inventory.csv": "room_type,date_from,date_to,rooms,sold\n"
        + "".join(f"{code},{on_sale},4,0\n" for code in prices)
        + "".join(f"{code},2026-12-25,2026-12-25,4,4\n" for code in prices),
        "info.csv": "topic,title,title_he,text,text_he,aliases\n"
        f"parking,Parking,חניה,A place costs {case.label} 12 a night.,מקום עולה 12 {case.label_he} ללילה.,car\n",
        **case.files,
    }  # fmt: skip


def imported(case: Abroad, data_dir: Path) -> ImportReport:
    """The hotel, written to a folder and read by the importer."""
    folder = data_dir / "files" / case.id
    folder.mkdir(parents=True)
    for name, text in files_of(case).items():
        # As Excel writes it where a comma stands in a number: quoted by a semicolon between cells.
        text = text.replace(",", ";") if name.endswith(".csv") else text
        (folder / name).write_text(text, encoding="utf-8")
    return import_hotel(folder, data_dir)
