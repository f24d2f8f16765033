"""What a message says to a question that waits: a no that is meant, time to think, or neither for certain."""

from tables import table

from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.verdict import read_verdict

DECLINES = (
    "no", "No thanks", "nope, not interested", "no, too expensive", "No. It is too expensive for us", "no, I changed my mind", "no. plans changed",
    "sorry, no", "thanks, no", "no, maybe another time", "no, we found something else", "no thanks, we'll look elsewhere", "no, we don't want it",
    "do not go ahead", "no, don't go ahead", "please do not proceed", "please don't book it", "don't book it, we found another hotel",
    "I changed my mind", "not interested", "I don't want it anymore", "never mind", "no way", "thanks but no", "I'd rather not", "sorry, we can't make it", "לא צריך", "לא מתאים לי",
    "לא", "לא תודה", "לא, יקר מדי", "לא, התחרטתי", "התחרטתי", "לא, מצאנו מקום אחר", "לא רוצה", "לא מעוניינת", "אל תזמין", "לא להזמין", "עזוב",
)  # fmt: skip
HESITATES = (
    "hmm", "later", "in a minute", "let me think", "not today", "not yet", "ok not yet", "maybe", "maybe yes", "yes maybe", "yes later", "wait",
    "ok wait", "one moment", "I don't know", "no idea", "no rush", "no hurry, let me think", "no, let me think", "hmm, not sure", "well...",
    "אולי", "אולי כן", "רגע", "חכה רגע", "לא יודע", "לא יודעת עדיין", "לא בטוח", "לא היום", "עוד מעט",
)  # fmt: skip
UNSURE = (
    "no problem", "no doubt", "no doubt, book it", "no but yes", "no yes", "no questions", "no more questions, go ahead",
    "not a problem", "don't worry, book it", "no thanks needed, yes", "no, I changed my mind, book it", "yes?", "ok?", "no, January 18-20",
    "לא משנה, תזמין", "לא, אבל כן", "כן?", "אין בעיה",
)  # fmt: skip
ACCEPTS = ("yes", "ok", "👍👍", "go ahead", "no worries, go ahead", "sounds good", "כן", "בסדר", "קדימה")
THANKS = ("ok thanks", "great!", "fine", "thank you 🙏", "😊", "תודה", "אוקיי תודה", "מעולה, תודה")
ELSE = (
    "yes but January 18-20", "what time is breakfast?", "is there no parking?", "too expensive", "Norman Levi", "can't wait!", "later than 15:00?",
    "17-19 בינואר לזוג", "יש חניה?",
)  # fmt: skip


@table(
    ("text", "verdict"),
    [
        *((text, "accept") for text in ACCEPTS),
        *((text, "thanks") for text in THANKS),
        *((text, "decline") for text in DECLINES),
        *((text, "hesitates") for text in HESITATES),
        *((text, "unsure") for text in UNSURE),
        *((text, None) for text in ELSE),
    ],
)
def test_only_a_no_that_is_meant_is_one(text: str, verdict: str | None) -> None:
    assert read_verdict(fold(text)) == verdict
