"""Who books: names only where a sentence offers one, addresses and numbers to be reached at, numbers of bookings."""

import pytest
from tables import table

from wavegraph.tools.hotel.reading.guest import read_bare_name, read_guest, read_identity, read_reference, surname

SAID = [
    (
        "I'll take the sea view. Dana Levi, dana@example.com, 050-0000000",
        "Dana Levi",
        "dana@example.com",
        "050-0000000",
    ),
    ("my name is Dana and I come alone", "Dana", None, None),
    ("book a double for Jan 17-19 for Dana Levi, 2 adults", "Dana Levi", None, None),
    ("I'm Jean-Luc Picard, +33 6 12 34 56 78", "Jean-Luc Picard", None, "+33 6 12 34 56 78"),
    ("BOOK IT FOR DANA LEVI, DANA@EXAMPLE.COM", "DANA LEVI", "DANA@EXAMPLE.COM", None),
    ("dana levi dana17@example.com", "dana levi", "dana17@example.com", None),
    ("Please book it Dana Levi dana@example.com", "Dana Levi", "dana@example.com", None),
    ("This is Maria de la Cruz, maria.x+1@mail.co.uk", "Maria de la Cruz", "maria.x+1@mail.co.uk", None),
    ("Mr. John Smith, 050-111-2222", "John Smith", None, "050-111-2222"),
    ("phone: 5551234, Anna Maria Lopez", "Anna Maria Lopez", None, "5551234"),
    ("name: Siobhán O’Neill", "Siobhán O’Neill", None, None),
    ("for Dana Levi arriving late", "Dana Levi", None, None),
    ("טלפון 050-1234567, דנה לוי", "דנה לוי", None, "050-1234567"),
    ("שמי משה כהן והטלפון שלי 03-555-1234", "משה כהן", None, "03-555-1234"),
    ("על שם דנה לוי לשני לילות", "דנה לוי", None, None),
    ("תודה, רות כהן-לוי, ruth@example.co.il", "רות כהן-לוי", "ruth@example.co.il", None),
    ("תזמין בבקשה רינה כץ rina@example.com", "רינה כץ", "rina@example.com", None),
    ("Okay, book it for Noa Bar", "Noa Bar", None, None),
    ("I'm Noa Bar. Book a double for two", "Noa Bar", None, None),
    ("book a double, my name is Tom Dinner and I'd like quiet", "Tom Dinner", None, None),
    ("Book a double for two, name: May Spa", "May Spa", None, None),
    ("Book a double for two, Tom Bath, 052-123-4567", "Tom Bath", None, "052-123-4567"),
    ("Book a double for two. Thanks, Dana Levi", "Dana Levi", None, None),
    ("Yes, book it. Noa Bar. Thanks!", "Noa Bar", None, None),
    ("תזמינו חדר זוגי לשניים, נועה בר", "נועה בר", None, None),
]
BROKEN = [
    ("Book a double for two. Dana Levi, dana@example", "Dana Levi"),
    ("Dana Levi dana@example,com", "Dana Levi"),
    ("Book a double for two, Dana Levi, phone 12345", "Dana Levi"),
    ("Book a double for two, Dana Levi, telephone: 12345", "Dana Levi"),
    ("תזמינו חדר זוגי לשניים, דנה לוי, 050-123", "דנה לוי"),
    ("תזמינו חדר זוגי לשניים, דנה לוי, סלולרי 12345", "דנה לוי"),
]
NO_GUEST = [
    "room for two, March 3-5",
    "20-02-2027 to 22-02-2027, 2 adults",
    "a room for Hanukkah under 700 NIS",
    "I'm looking for a room for late arrival",
    "is there parking for guests?",
    "12,500 shekels for 10 nights from 01.02.2027",
    "I am Interested",
    "Book a double for two, Half Board",
    "Book a double for two, Pool Bar",
    "Book a double for two, January 17-19",
    "BOOK A DOUBLE FOR TWO, HIGH FLOOR",
    "תזמינו חדר זוגי לשניים, ארוחת בוקר",
    "תזמינו חדר זוגי לשניים, בריכה מחוממת",
    "אני רוצה חדר לשני מבוגרים",
    "עבור ארבעה מבוגרים ושני ילדים",
]


@table(("text", "name", "email", "phone"), SAID)
def test_who_books(text: str, name: str | None, email: str | None, phone: str | None) -> None:
    found = read_guest(text)
    assert (found.name, found.email, found.phone) == (name, email, phone)
    assert [text[start:end] for start, end in found.spans] == [part for part in (name, email, phone) if part]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("WG-AAAA1111, name Peter Novak. Can you move it?", "Peter Novak"),
        ("name: Sammy Davis Jr. Can you?", "Sammy Davis Jr."),
        ("my name is Peter N. Thanks", "Peter N."),
    ],
)
def test_the_stop_of_a_sentence_is_not_of_the_name(text: str, name: str) -> None:
    assert read_guest(text).name == name


@table(("text", "name"), BROKEN)
def test_a_broken_address_or_number_is_none_and_its_guest_keeps_the_name(text: str, name: str) -> None:
    found = read_guest(text)
    assert (found.name, found.email, found.phone, found.broken) == (name, None, None, True)


@pytest.mark.parametrize("text", ["Noa Bar", "May Spa", "Tom Bath", "נועה בר"])
def test_a_surname_may_be_a_word_that_means_something_else(text: str) -> None:
    assert read_guest(text, asked=True).name == text


@table("text", ["the bar", "Bar", "Pool Bar", "heated pool", "בריכה מחוממת", "יש בר", "Noa Bar?"])
def test_what_is_asked_about_is_nobody_s_name(text: str) -> None:
    assert read_guest(text, asked=True).name is None


@table("text", NO_GUEST)
def test_nobody_is_named(text: str) -> None:
    assert not read_guest(text).given


@pytest.mark.parametrize(
    "text", ["my email is dana@example.com", "book it please, dana@example.com", "the double, dana@example.com"]
)
def test_an_address_alone_names_nobody(text: str) -> None:
    assert (read_guest(text).name, read_guest(text).email) == (None, "dana@example.com")


@table(
    ("text", "name"),
    [
        ("Dana Levi", "Dana Levi"),
        ("anna-maria o'neil", "anna-maria o'neil"),
        ("Sure, it's Dana Levi", "Dana Levi"),
        ("דנה לוי", "דנה לוי"),
        ("no idea", None),
        ("the sea view", None),
        ("parking", None),
        ("maybe later", None),
        ("what for?", None),
        ("room 12", None),
        ("כן", None),
        ("חדר זוגי", None),
    ],
)
def test_a_whole_message_as_a_name(text: str, name: str | None) -> None:
    assert read_bare_name(text) == name


@table(
    ("text", "reference", "identity"),
    [
        ("cancel my booking WG-7KQ2M9XA, Levi", "WG-7KQ2M9XA", "Levi"),
        ("cancel wg7kq2m9xa levi", "wg7kq2m9xa", "levi"),
        ("cancel WG-ABCDEFGH please", "WG-ABCDEFGH", None),
        ("cancel booking 12345 for John Smith", "12345", "Smith"),
        ("my booking number is WG-7KQ2M9XA, dana@example.com", "WG-7KQ2M9XA", "dana@example.com"),
        ("find my booking WG-7KQ2M9XA, surname de la Cruz", "WG-7KQ2M9XA", "de la Cruz"),
        ("cancel my booking. ref K77-310, Anna Lindqvist", "K77-310", "Lindqvist"),
        ("find my booking, reference 44812, name Eva Peterson.", "44812", "Peterson"),
        ("Cancel the booking of John Smith, I don't have the number", None, "Smith"),
        ("a booking for January 2027", None, None),
        ("cancel my reservation", None, None),
        ("Actually, cancel my booking", None, None),
        ("Unfortunately, we must cancel WG-7KQ2M9XA. Best regards, Levi", "WG-7KQ2M9XA", "Levi"),
        ("בעצם, לבטל את ההזמנה", None, None),
        ("לבטל הזמנה מספר 12345, כהן", "12345", "כהן"),
        ("תבטל את ההזמנה שלי", None, None),
    ],
)
def test_which_booking_and_whose(text: str, reference: str | None, identity: str | None) -> None:
    assert (read_reference(text), read_identity(text, read_reference(text))) == (reference, identity)


@pytest.mark.parametrize(
    ("name", "family"),
    [("Dana Levi", "Levi"), ("Jan van der Berg", "van der Berg"), ("Levi", "Levi"), ("יוסי בן דוד", "בן דוד")],
)
def test_surnames(name: str, family: str) -> None:
    assert surname(name) == family
