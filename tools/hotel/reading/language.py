"""Whether a message is in a language the grammar reads: English or Hebrew. Other languages are not guessed at."""

import re

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.normalise import fold

_LETTER = re.compile(r"[^\W\d_]")
_READABLE = re.compile(r"[a-zà-ɏא-ת]")
_WORD = re.compile(r"[^\W\d_]+")
# Words of other languages that are neither English words nor parts of names.
_ROOMS = frozenset(
    words_of(
        "zimmer doppelzimmer einzelzimmer chambre chambres habitación habitacion habitaciones quarto quartos kamer kamers pokój "
        "pokoj pokoje szoba szobát huone værelse værelser odanız"
    )
)
_SMALL = frozenset(
    words_of(
        "haben sie ein eine einen ist für und ich wir vom bis mit gibt nacht nächte kostet personen bitte avez vous une est pour "
        "nous avec combien nuit nuits personnes bonjour libre libres tienen una para hay cuánto cuánta noche noches personas con "
        "quiero buenos avete per camera notte notti quanto persone vorrei buongiorno há tem uma quero noite noites pessoas com "
        "hebben jullie een voor hoeveel nachten personen graag masz macie wolny wolne czy dla ile nocy osoby proszę har ett för "
        "från till och är natt nätter personer ledig ledigt var mı için gece kaç kişi van vagy éjszaka marzo märz mars maart marca"
    )
)
_ENGLISH = frozenset(
    words_of(
        "the is are a an for and you your have has room rooms from to with in on of we i do does can night nights please book any "
        "free how much what which there at it my our"
    )
)


def is_foreign(text: str) -> bool:
    """Whether most of its letters, or of its function words, belong to a language other than English and Hebrew."""
    folded = fold(text)
    letters = _LETTER.findall(folded)
    strange = sum(not _READABLE.match(letter) for letter in letters)
    if 2 * strange > len(letters):
        return True
    words = set(_WORD.findall(folded))
    foreign = len(words & _SMALL) + 2 * len(words & _ROOMS)
    return foreign >= 2 and foreign > len(words & _ENGLISH)
