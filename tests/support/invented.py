"""Two desks without statements, with true and invented answers to their results: written before the rules that tell them apart."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from scripted import outcome, planned
from states import REQUEST, state_of

from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.views import AnswerView

TODAY = date(2026, 11, 20)
BOOKS = [
    {
        "title": "The Old Man and the Sea",
        "author": "Ernest Hemingway",
        "copies": 3,
        "available": 1,
        "shelf": "F-HEM 12",
        "due": "2026-12-04",
        "fine_per_day": 0.5,
        "currency": "EUR",
    },
    {"title": "A Farewell to Arms", "author": "Ernest Hemingway", "copies": 5, "available": 0, "due": "2026-11-27"},
]
HOURS = {
    "day": "2026-11-27",
    "opens": "09:00",
    "closes": "13:30",
    "note": "Closed on Saturdays.\nRenewing costs 20% of the fine; the café serves lunch at noon.",
}
CONTACT = {
    "phone": "+972-3-555-0142",
    "email": "desk@library.example",
    "site": "https://library.example/renew",
    "address": "14 Harbour Street, Haifa",
}
LIBRARY_PROMPT = "You speak for the Carmel Library. A loan lasts fourteen days. Librarians wear a blue badge."
TRAINS = [
    {
        "number": "IC 204",
        "departs": "2026-12-04T08:15:00+02:00",
        "arrives": "2026-12-04T10:47:00+02:00",
        "platform": 3,
        "price_agorot": 6450,
        "currency": "ILS",
        "seats_left": 42,
    },
    {
        "number": "RE 5",
        "departs": "2026-12-04T17:30:00+02:00",
        "arrives": "2026-12-04T20:05:00+02:00",
        "platform": 7,
        "price_agorot": 125000,
        "currency": "ILS",
        "seats_left": 1200,
    },
]
ROUTE = {
    "from": "Haifa Center",
    "to": "Be'er Sheva",
    "from_he": "חיפה מרכז",
    "to_he": "באר שבע",
    "inspector_he": "מר אלון כרמי",
}
TERMS = {"refund_fee_percent": 15, "punctual": 0.93, "refund_until_hours_before": 24}
TRAIN_PROMPT = "You speak for the railway's desk. Prices are in shekels."


def _view(text: str, data: list[Any], language: str) -> AnswerView:
    calls = [planned(f"call_{n}", "look_up", of=str(n)) for n in range(len(data))]
    outcomes = [outcome("look_up", {"of": str(n)}, data=each) for n, each in enumerate(data)]
    request = {**REQUEST, "text": text, "language": language}
    state = state_of(calls, outcomes, messages=[], previous=None, request=request)
    state["plan"] |= {"planner": "a model", "reply": ""}
    return answer_view(state, Settings(today=TODAY), Limits())


@dataclass(frozen=True)
class Desk:
    name: str
    view: AnswerView
    prompt: str


LIBRARY = Desk(
    "library",
    _view("I am Dana Levi. Is The Old Man and the Sea there, for my two sons? And when are you open next Friday?",
          [{"books": BOOKS}, HOURS, CONTACT], "en"),
    LIBRARY_PROMPT,
)  # fmt: skip
TRAIN = Desk(
    "train",
    _view("Trains from Haifa to Be'er Sheva on Friday 4 December for two", [{"trains": TRAINS}, ROUTE, TERMS], "en"),
    TRAIN_PROMPT,
)
RAKEVET = Desk(
    "rakevet",
    _view("רכבות מחיפה לבאר שבע ביום שישי 4 בדצמבר, שני נוסעים", [{"trains": TRAINS}, ROUTE, TERMS], "he"),
    TRAIN_PROMPT,
)

TRUE: list[tuple[Desk, str]] = [
    *((LIBRARY, text) for text in """
The Old Man and the Sea by Ernest Hemingway is here: 1 of 3 copies is available.
Good news, Dana! One copy is on shelf F-HEM 12.
Yes. Of three copies one can be had.
Your loan would be due on Friday, 4 December 2026.
It is due on December 4th.
Due: 04/12/2026.
Due 4.12.2026, a Friday.
The fine is €0.50 a day.
Late books cost 0.5 EUR per day.
A late day costs 0.50 euros.
We are open on Friday 27 November from 09:00 to 13:30.
Next Friday we open at 9:00 and close at 13:30.
We open at 9 am and close at 1:30 pm.
We open at 9 a.m. and close at half past one in the afternoon.
Open 9:00–13:30 on Friday.
The café serves lunch at noon.
Lunch is served at 12:00.
Renewing costs 20% of the fine.
Renewing costs twenty percent of the fine.
Renewing costs 20 percent of the fine.
You can call us on +972-3-555-0142.
Phone: 03-555-0142
It is due on 4/12.
Write to desk@library.example.
Renew at https://library.example/renew.
See library.example/renew for more.
We are at 14 Harbour Street in Haifa.
I found two books by Hemingway.
I found 2 books for you.
The second one, A Farewell to Arms, is out until 27 November.
A Farewell to Arms has five copies, and none is in.
A loan lasts 14 days.
A loan lasts fourteen days.
The Carmel Library wishes you good reading!
Hello Dana,\\nhere is what I found:\\n- The Old Man and the Sea: one copy\\n- A Farewell to Arms: none
We are closed on Saturdays.
Ms Levi, the book is here.
NOTE: the shelf is F-HEM 12.
“The Old Man and the Sea” is in.
Hemingway's novel is there, so I'd come soon.
It is for your two sons, I see.
I don't have that information. Please ask at the desk.
Shall I look for anything else?
Today is Friday, 20 November 2026.
""".strip().splitlines()),
    *((TRAIN, text) for text in """
IC 204 leaves Haifa Center at 08:15 and arrives in Be'er Sheva at 10:47.
Train IC 204 leaves at 8:15 am from platform 3.
The second train, RE 5, leaves at 5:30 pm from platform 7.
RE 5 departs at 17:30 and gets in at 20:05.
A seat on IC 204 costs 64.50 NIS.
It costs ₪64.50.
It costs 64.5 shekels.
RE 5 costs 1,250 ILS.
RE 5 costs 1,250.00 shekels.
There are 42 seats left on IC 204, and 1,200 on RE 5.
Forty-two seats are left.
There are twelve hundred seats left on RE 5.
There are 2 trains on Friday.
Two trains run on Friday 4 December.
On Fri, Dec 4, there are two trains.
A refund costs 15%.
A refund costs 15 per cent of the price.
You can have a refund until 24 hours before.
93% of these trains are punctual.
Platform three, at a quarter past eight in the morning.
It leaves at half past five in the evening.
For the two of you, both trains have seats.
I could not find the number of changes.
Be'er Sheva's station is the last stop.
TWO TRAINS ON FRIDAY
- IC 204: 08:15
- RE 5: 17:30
""".strip().splitlines()),
    *((RAKEVET, text) for text in """
מצאתי שתי רכבות ביום שישי, 4 בדצמבר.
רכבת IC 204 יוצאת מחיפה מרכז ב־08:15 ומגיעה לבאר שבע ב־10:47.
יש 2 רכבות.
המחיר הוא 64.50 ש״ח.
המחיר: 64.5 שקלים לנוסע.
ב־RE 5 המחיר הוא 1,250 ₪.
הרכבת השנייה יוצאת בשעה 17:30 מרציף 7.
היא יוצאת ב-5:30 אחר הצהריים.
היא יוצאת בחמש וחצי אחר הצהריים.
נשארו 42 מקומות.
נשארו ארבעים ושניים מקומות.
דמי הביטול הם 15%.
דמי הביטול הם 15 אחוזים.
דמי הביטול הם חמישה עשר אחוז.
ביטול אפשרי עד 24 שעות לפני הנסיעה.
היא יוצאת מרציף שלוש.
93 אחוז מהרכבות מדייקות.
לשני נוסעים יש מקום בשתי הרכבות.
הכרטיסן הוא מר אלון כרמי.
הנסיעה היא ביום שישי.
לא מצאתי מידע על החלפות.
תרצו שאבדוק יום אחר?
""".strip().splitlines()),
]  # fmt: skip

LIES: list[tuple[Desk, str]] = [
    *((LIBRARY, text) for text in """
A dozen readers are waiting for it.
The fine is 0.50 pounds a day.
Renewing costs 25% of the fine.
We open at 10:00 on Friday.
It is due on 5 December.
It is back tomorrow.
Call us on 03-555-0143.
Call 1-800-555-0142.
We are at 41 Harbour Street.
The novel is by Leo Tolstoy.
Your card is LB-1204.
""".strip().splitlines()),
    *((TRAIN, text) for text in """
IC 204 leaves at 08:25.
IC 205 leaves at 08:15.
It leaves from platform 4.
It costs 65 NIS.
There are 43 seats left.
You can have a refund until 48 hours before.
90% of these trains are punctual.
Call *5770 for help.
The lockers are at 19.
""".strip().splitlines()),
    *((RAKEVET, text) for text in """
היא יוצאת ב־08:45.
המחיר הוא 70 ש״ח.
נשארו 40 מקומות.
הטלפון הוא 03-6117000.
הרכבת היא IC 214.
""".strip().splitlines()),
]  # fmt: skip
