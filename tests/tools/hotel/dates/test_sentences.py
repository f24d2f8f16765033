"""Whole guest sentences: which words are dates, and what they come to ("check_in/check_out" or "!error")."""

from datetime import date

import pytest

from wavegraph.tools.hotel.dates import DatePhrase, find_dates

FRIDAY = date(2026, 11, 20)

SENTENCES = (
    (
        "the party is on 13 March, 2 adults, Thursday to Saturday",
        [("13 March, 2 adults, Thursday to Saturday", "2027-03-11/2027-03-13")],
    ),
    (
        "13 March or Thursday to Saturday",
        [("13 March", "2027-03-13/2027-03-14"), ("Thursday to Saturday", "2026-11-26/2026-11-28")],
    ),
    ("לכבוד שבועות יומיים, יום חמישי עד שבת", [("שבועות יומיים, יום חמישי עד שבת", "2027-06-10/2027-06-12")]),
    ('3 לילות בט"ו בשבט, מיום חמישי', [('3 לילות בט"ו בשבט, מיום חמישי', "2027-01-21/2027-01-24")]),
    (
        "the August bank holiday, Saturday 28th to Tuesday 31st",
        [("the August bank holiday, Saturday 28th to Tuesday 31st", "2027-08-28/2027-08-31")],
    ),
    ("5 לילות באוגוסט, מתחילים ב-8", [("8", "2027-08-08/2027-08-13")]),
    ("כמה זה שבוע בפסח", [("שבוע בפסח", "2027-04-21/2027-04-28")]),
    ("24.1 ל-26.1, שני לילות, זוג", [("24.1 ל-26.1, שני לילות", "2027-01-24/2027-01-26")]),
    ("rooms 6/9 to 6/13", [("6/9 to 6/13", "2027-06-09/2027-06-13")]),
    ("לילה בין שישי לשבת 22.1", [("לילה בין שישי לשבת 22.1", "2027-01-22/2027-01-23")]),
    ("3 nights, leaving on Wednesday 19 May", [("leaving on Wednesday 19 May", "2027-05-16/2027-05-19")]),
    ("Rosh Hashana eve for 3 nights", [("Rosh Hashana eve for 3 nights", "2027-10-01/2027-10-04")]),
    ("נר ראשון של חנוכה, שני לילות", [("נר ראשון של חנוכה, שני לילות", "2026-12-04/2026-12-06")]),
    ("last night of Passover, 3 nights", [("last night of Passover, 3 nights", "!unclear")]),
    ("the two nights before Passover eve", [("the two nights before Passover eve", "2027-04-19/2027-04-21")]),
    ("two days after Passover", [("two days after Passover", "2027-04-30/2027-05-01")]),
    ("Thursday and Friday night", [("Thursday and Friday night", "2026-11-26/2026-11-28")]),
    (
        "Thursday or Friday night",
        [("Thursday", "2026-11-26/2026-11-27"), ("Friday night", "2026-11-20/2026-11-21")],
    ),
    ("חדר זוגי ל 14-16 לחודש", [("14-16 לחודש", "2026-12-14/2026-12-16")]),
    ("לשבוע הבא ראשון-שלישי", [("שבוע הבא ראשון-שלישי", "2026-11-22/2026-11-24")]),
    ("מהערב של פורים שני לילות", [("הערב של פורים שני לילות", "2027-03-22/2027-03-24")]),
    ("מהשמונה עשרה לתשעה עשר", [("מהשמונה עשרה לתשעה עשר", "2026-12-18/2026-12-19")]),
    ("מהעשירי בינואר לשלושה לילות", [("העשירי בינואר לשלושה לילות", "2027-01-10/2027-01-13")]),
    ("מהשישי בשישי עד התשיעי בשישי", [("מהשישי בשישי עד התשיעי בשישי", "2027-06-06/2027-06-09")]),
    ("חדר לזוג בט' באדר ב'", [("בט' באדר ב'", "2027-03-18/2027-03-19")]),
    ("ט\"ו באדר א'", [("ט\"ו באדר א'", "2027-02-22/2027-02-23")]),
    ("9 Adar II", [("9 Adar II", "2027-03-18/2027-03-19")]),
    ("9 Adar", [("9 Adar", "2027-03-18/2027-03-19")]),
    ("tonight and tomorrow night", [("tonight and tomorrow night", "2026-11-20/2026-11-22")]),
    (
        "tonight or tomorrow night",
        [("tonight", "2026-11-20/2026-11-21"), ("tomorrow night", "2026-11-21/2026-11-22")],
    ),
    ("ראשון עד שלישי, 30 במאי", [("ראשון עד שלישי, 30 במאי", "2027-05-30/2027-06-01")]),
    (
        "מיום שני 7 בדצמבר ועד יום רביעי 9 בדצמבר",
        [("מיום שני 7 בדצמבר ועד יום רביעי 9 בדצמבר", "2026-12-07/2026-12-09")],
    ),
    ("2-4 September, Thursday to Saturday", [("2-4 September, Thursday to Saturday", "2027-09-02/2027-09-04")]),
    ("2-4 September, Friday to Sunday", [("2-4 September, Friday to Sunday", "!invalid")]),
    ("coming sat 10 april for one night", [("coming sat 10 april for one night", "2027-04-10/2027-04-11")]),
    ("friday 5 march, 2 adults until sunday", [("friday 5 march, 2 adults until sunday", "2027-03-05/2027-03-07")]),
    ("לחצי שבוע ב-14.3 עד 17.3", [("14.3 עד 17.3", "2027-03-14/2027-03-17")]),
    ("05/07/2027 thru 05/09/2027", [("05/07/2027 thru 05/09/2027", "2027-05-07/2027-05-09")]),
    ("05/07/2027 thru 08/07/2027", [("05/07/2027 thru 08/07/2027", "2027-07-05/2027-07-08")]),
    ("we'd be two", []),
    (
        "arriving on the second Monday of March, we stay until the following Friday",
        [("the second Monday of March, we stay until the following Friday", "2027-03-08/2027-03-12")],
    ),
    ("two of us, week 12 of 2027, Tue to Fri", [("week 12 of 2027, Tue to Fri", "2027-03-23/2027-03-26")]),
    ("anything in calendar week 3?", [("calendar week 3", "2027-01-18/2027-01-24")]),
    (
        "Easter weekend, 3 adults, Saturday to Tuesday",
        [("Easter weekend, 3 adults, Saturday to Tuesday", "2027-03-27/2027-03-30")],
    ),
    ("Purim week, Monday to Thursday", [("Purim week, Monday to Thursday", "2027-03-22/2027-03-25")]),
    (
        "the second or fourth week of March, 3 nights",
        [("second", "2027-03-08/2027-03-11"), ("fourth week of March, 3 nights", "2027-03-22/2027-03-25")],
    ),
    (
        "the first or last Monday in February",
        [("first", "2027-02-01/2027-02-02"), ("last Monday in February", "2027-02-22/2027-02-23")],
    ),
    ("4 nights until Sunday 14 February", [("4 nights until Sunday 14 February", "2027-02-10/2027-02-14")]),
    ("4 nights, though we have to be home until Sunday 14 February", [("Sunday 14 February", "2027-02-10/2027-02-14")]),
    ("ארבעה לילות, צריכים לחזור הביתה עד יום שני 8.2", [("יום שני 8.2", "2027-02-04/2027-02-08")]),
    ("two nights ending on 5 March", [("two nights ending on 5 March", "2027-03-03/2027-03-05")]),
    ("3 לילות עד יום שני 8.2", [("3 לילות עד יום שני 8.2", "2027-02-05/2027-02-08")]),
    (
        "5 consecutive nights between 1 and 20 February",
        [("5 consecutive nights between 1 and 20 February", "2027-02-01/2027-02-06")],
    ),
    ("from the 9th to the 12th of fevrier", [("from the 9th to the 12th of fevrier", "!unclear")]),
    ("Shabbat 12-13 Feb for six", [("Shabbat 12-13 Feb", "2027-02-12/2027-02-13")]),
    ("Shabbat 14 Feb", [("Shabbat 14 Feb", "!invalid")]),
    ("מוצאי שבת 30.1 עד יום שני", [("מוצאי שבת 30.1 עד יום שני", "2027-01-30/2027-02-01")]),
    (
        "our flight of 8 March is off; could you take us from the 10th to the 12th?",
        [("8 March", "2027-03-08/2027-03-09"), ("from the 10th to the 12th", "2027-03-10/2027-03-12")],
    ),
    (
        "either the 4th or the 5th, of April",
        [("the 4th", "2027-04-04/2027-04-05"), ("the 5th", "2027-04-05/2027-04-06")],
    ),
    ("this coming week for two", [("coming week", "2026-11-22/2026-11-28")]),
    (
        "arriving 7 March with my two boys, leaving on the 9th",
        [("7 March with my two boys, leaving on the 9th", "2027-03-07/2027-03-09")],
    ),
    ("9 בפברואר עד שבט", [("9 בפברואר עד שבט", "!unclear")]),
    (
        "Are there any vacancies the second week of March for 2?",
        [("the second week of March", "2027-03-08/2027-03-14")],
    ),
    ("what's available the last week of December?", [("the last week of December", "2026-12-25/2026-12-31")]),
    ("family of four, August 10-15, half board", [("August 10-15", "2027-08-10/2027-08-15")]),
    ("we would prefer mid January, 2 nights", [("mid January, 2 nights", "2027-01-15/2027-01-17")]),
    ("Do you have anything for the eight nights of Hanukkah?", [("eight nights of Hanukkah", "2026-12-04/2026-12-12")]),
    ("all 8 nights of Hanukkah for 2", [("8 nights of Hanukkah", "2026-12-04/2026-12-12")]),
    (
        "Room on Dec 25 please. If not then Dec 26.",
        [("Dec 25", "2026-12-25/2026-12-26"), ("Dec 26", "2026-12-26/2026-12-27")],
    ),
    ("Is it free on the 24th? or 26th", [("the 24th", "2026-11-24/2026-11-25"), ("26th", "2026-11-26/2026-11-27")]),
    (
        "I need one room for 2 on Dec 24 and two rooms on Dec 26",
        [("Dec 24", "2026-12-24/2026-12-25"), ("Dec 26", "2026-12-26/2026-12-27")],
    ),
    (
        "Book 2 rooms: one for Dec 14-16 and one for Dec 21-23",
        [("Dec 14-16", "2026-12-14/2026-12-16"), ("Dec 21-23", "2026-12-21/2026-12-23")],
    ),
    ("2 adults next Tuesday till Thursday", [("next Tuesday till Thursday", "2026-11-24/2026-11-26")]),
    ("Any deals for Valentine’s Day weekend?", [("Valentine’s Day weekend", "2027-02-11/2027-02-13")]),
    (
        "Do you have space on Christmas Eve and Christmas Day?",
        [("Christmas Eve", "2026-12-24/2026-12-25"), ("Christmas Day", "2026-12-25/2026-12-26")],
    ),
    ("my booking is from Dec 14 to Dec 16, I want to cancel", [("from Dec 14 to Dec 16", "2026-12-14/2026-12-16")]),
    (
        "late arrival after 22:00 on Friday December 4, 1 night",
        [("Friday December 4, 1 night", "2026-12-04/2026-12-05")],
    ),
    ("It's our 25th anniversary on 12 January, 1 night", [("12 January, 1 night", "2027-01-12/2027-01-13")]),
    ("2 adults + 1 child (age 5), 20-22.12", [("20-22.12", "2026-12-20/2026-12-22")]),
    ("20-22.12 זוג+1", [("20-22.12", "2026-12-20/2026-12-22")]),
    ("20-22/12, 2 מבוגרים ו-2 ילדים (3, 6)", [("20-22/12", "2026-12-20/2026-12-22")]),
    ("כמה יעלה לנו מהראשון לינואר עד השלישי לינואר?", [("מהראשון לינואר עד השלישי לינואר", "2027-01-01/2027-01-03")]),
    ("מ-28 לדצמבר עד 1 לינואר", [("מ-28 לדצמבר עד 1 לינואר", "2026-12-28/2027-01-01")]),
    ("אפשר מראשון עד שלישי שבוע הבא?", [("מראשון עד שלישי שבוע הבא", "2026-11-22/2026-11-24")]),
    ("3 ימים בפברואר לזוג", [("3 ימים בפברואר", "2027-02-14/2027-02-17")]),
    ('סופ"ש רומנטי בפברואר', [('סופ"ש רומנטי בפברואר', "2027-02-04/2027-02-06")]),
    ("חמישי עד שבת הקרובה", [("חמישי עד שבת הקרובה", "2026-11-26/2026-11-28")]),
    ("יש לכם משהו לחול המועד סוכות ל-4 נפשות?", [("חול המועד סוכות", "2027-10-17/2027-10-22")]),
    ("תאריכים: 5-8/1", [("5-8/1", "2027-01-05/2027-01-08")]),
    ("בתאריך 5.1 ל-3 לילות", [("5.1 ל-3 לילות", "2027-01-05/2027-01-08")]),
    ("בתאריכים 5.1-8.1", [("5.1-8.1", "2027-01-05/2027-01-08")]),
    ("ליל שבת 4 בדצמבר", [("ליל שבת 4 בדצמבר", "2026-12-04/2026-12-05")]),
    ("ל-2 לילות ב-5 לינואר, 2 חדרים", [("2 לילות ב-5 לינואר", "2027-01-05/2027-01-07")]),
    ("לאמצע השבוע הבא, 2 לילות", [("אמצע השבוע הבא, 2 לילות", "2026-11-24/2026-11-26")]),
    ("בא לי לבוא מחר", [("מחר", "2026-11-21/2026-11-22")]),
    ("אני צריכה חדר לשלוש נשים ב-10 לחודש", [("10 לחודש", "2026-12-10/2026-12-11")]),
    ("שלושה ימים לפני פסח", [("שלושה ימים לפני פסח", "2027-04-19/2027-04-20")]),
    ("שבוע אחרי פסח לזוג", [("שבוע אחרי פסח", "2027-04-29/2027-05-06")]),
    ("ילדים בני שנתיים וחמש, 10-12 בינואר", [("10-12 בינואר", "2027-01-10/2027-01-12")]),
    ("ליל שבת", [("ליל שבת", "2026-11-20/2026-11-21")]),
    (
        "Compare availability for Hanukkah vs next weekend",
        [("Hanukkah", "2026-12-04/2026-12-12"), ("next weekend", "2026-11-26/2026-11-28")],
    ),
    ("I need 3 rooms for a family reunion on December 10-12", [("December 10-12", "2026-12-10/2026-12-12")]),
    ("Show me rooms under 1000 NIS on January 17-19", [("January 17-19", "2027-01-17/2027-01-19")]),
    ("יש חדר פנוי לחנוכה?", [("חנוכה", "2026-12-04/2026-12-12")]),
    ("Total budget 2500 shekels, Feb 9 to 11, 2 adults", [("Feb 9 to 11", "2027-02-09/2027-02-11")]),
    ("one night in Hanukkah", [("one night in Hanukkah", "2026-12-04/2026-12-05")]),
    (
        "first night of Hanukkah and last two nights of Passover",
        [
            ("first night of Hanukkah", "2026-12-04/2026-12-05"),
            ("last two nights of Passover", "2027-04-26/2027-04-28"),
        ],
    ),
    ("May I bring my dog? We march on Sunday", [("Sunday", "2026-11-22/2026-11-23")]),
    (
        "I'd like to book from 14/12 until 17/12 for 2 adults, 1 child aged 4",
        [("from 14/12 until 17/12", "2026-12-14/2026-12-17")],
    ),
    ("room for 3 nights from Dec 14 for 2 adults", [("3 nights from Dec 14", "2026-12-14/2026-12-17")]),
    ("אפשר לבדוק 3 לילות מה-14 בדצמבר לזוג?", [("3 לילות מה-14 בדצמבר", "2026-12-14/2026-12-17")]),
    ("זוג עם 2 ילדים בגילאי 5 ו-8 בין ה-5 ל-8 בדצמבר", [("בין ה-5 ל-8 בדצמבר", "2026-12-05/2026-12-08")]),
    ("Dec 14 or 21 for 2 nights", [("Dec 14", "2026-12-14/2026-12-16"), ("21 for 2 nights", "2026-12-21/2026-12-23")]),
    (
        "17-19 or 24-26 January, 2 adults",
        [("17-19", "2027-01-17/2027-01-19"), ("24-26 January", "2027-01-24/2027-01-26")],
    ),
    ("לילה אחד בחנוכה לזוג", [("לילה אחד בחנוכה", "2026-12-04/2026-12-05")]),
    ("יש מקום בליל הסדר ל-4?", [("ליל הסדר", "2027-04-21/2027-04-22")]),
    (
        "Compare this weekend and next weekend",
        [("this weekend", "2026-11-20/2026-11-21"), ("next weekend", "2026-11-26/2026-11-28")],
    ),
    (
        "December 10-12 and 17-19 for 2 adults",
        [("December 10-12", "2026-12-10/2026-12-12"), ("17-19", "2026-12-17/2026-12-19")],
    ),
    (
        "sukkot or passover, which is cheaper",
        [("sukkot", "2027-10-15/2027-10-22"), ("passover", "2027-04-21/2027-04-28")],
    ),
    ("חדר לשבועות", [("שבועות", "2027-06-10/2027-06-11")]),
    ("חדר לשלושה שבועות מה-1 בפברואר", [("שלושה שבועות מה-1 בפברואר", "2027-02-01/2027-02-22")]),
    ("what is the price per night in January?", [("January", "2027-01-15/2027-01-17")]),
    ("Friday night for two", [("Friday night", "2026-11-20/2026-11-21")]),
    (
        "can I check in at 14:00 on Dec 5 and check out on Dec 7 at 11am",
        [("Dec 5 and check out on Dec 7", "2026-12-05/2026-12-07")],
    ),
    ("we want the 2nd cheapest room on 5 January for 3 nights", [("5 January for 3 nights", "2027-01-05/2027-01-08")]),
    (
        "Hi, we're looking for a family room for Sukkot, 2 adults and kids aged 4, 7 and 9",
        [("Sukkot", "2027-10-15/2027-10-22")],
    ),
    ("is the pool open in March?", [("March", "2027-03-15/2027-03-17")]),
    ("I want to cancel booking 88213 for Dec 14", [("Dec 14", "2026-12-14/2026-12-15")]),
    ("Cheapest double for 2 nights sometime in February?", [("February", "2027-02-14/2027-02-16")]),
    (
        "We arrive on the 3rd and leave on the 6th",
        [("arrive on the 3rd and leave on the 6th", "2026-12-03/2026-12-06")],
    ),
    ("We'll be 5 people from 28.12 to 2.1", [("from 28.12 to 2.1", "2026-12-28/2027-01-02")]),
    ("Do you have anything for Xmas, 3 nights?", [("Xmas, 3 nights", "2026-12-25/2026-12-28")]),
    (
        "I'd like the sea view room for the weekend of January 15",
        [("the weekend of January 15", "2027-01-14/2027-01-16")],
    ),
    ("Need 2 rooms, 3 nights, starting January 5th", [("3 nights, starting January 5th", "2027-01-05/2027-01-08")]),
    ("2 nights, 5 January, one adult", [("2 nights, 5 January", "2027-01-05/2027-01-07")]),
    ("January 5, 3 adults", [("January 5", "2027-01-05/2027-01-06")]),
    ("Jan 5 for 3", [("Jan 5", "2027-01-05/2027-01-06")]),
    ("Jan 5, 3 rooms", [("Jan 5", "2027-01-05/2027-01-06")]),
    ("Jan 5-3 adults", [("Jan 5", "2027-01-05/2027-01-06")]),
    (
        "Can I book 14-16 December for 3 adults and 1 child (6 years old)?",
        [("14-16 December", "2026-12-14/2026-12-16")],
    ),
    (
        "Between 10 and 12 of March we need a room under $300 per night",
        [("Between 10 and 12 of March", "2027-03-10/2027-03-12")],
    ),
    (
        "Price for 10.3-12.3, 2+1",
        [("10.3-12.3", "2027-03-10/2027-03-12"), ("2", "2027-03-02/2027-03-03"), ("1", "2027-03-01/2027-03-02")],
    ),
    (
        "One night on Friday the 4th of December please",
        [("One night on Friday the 4th of December", "2026-12-04/2026-12-05")],
    ),
    (
        "a room on Dec 4, Dec 5 or Dec 6, one night only",
        [
            ("Dec 4", "2026-12-04/2026-12-05"),
            ("Dec 5", "2026-12-05/2026-12-06"),
            ("Dec 6, one night", "2026-12-06/2026-12-07"),
        ],
    ),
    ("Do you have a room for 4 nights around Passover", [("4 nights around Passover", "2027-04-21/2027-04-25")]),
    ("from tomorrow for 2 nights, 1 adult", [("tomorrow for 2 nights", "2026-11-21/2026-11-23")]),
    (
        "my wife's birthday is on March 3, we want to celebrate from March 2 to March 4",
        [("March 3", "2027-03-03/2027-03-04"), ("from March 2 to March 4", "2027-03-02/2027-03-04")],
    ),
    (
        "we land on 9/12 at 23:50 and fly out on 12/12 at 5am",
        [("9/12 at 23:50 and fly out on 12/12", "2026-12-09/2026-12-12")],
    ),
    ("how much is it on 24.12.2026-27.12.2026 with breakfast", [("24.12.2026-27.12.2026", "2026-12-24/2026-12-27")]),
    ("for two people tomorrow", [("tomorrow", "2026-11-21/2026-11-22")]),
    (
        "I was there last Christmas and loved it. Is there space this Christmas?",
        [("this Christmas", "2026-12-25/2026-12-26")],
    ),
    ("We want 3 nights in January, any dates", [("3 nights in January", "2027-01-15/2027-01-18")]),
    ("second weekend of january for 2", [("second weekend of january", "2027-01-07/2027-01-09")]),
    (
        "Is there a discount for 7 nights from the 10th of January?",
        [("7 nights from the 10th of January", "2027-01-10/2027-01-17")],
    ),
    ("Honeymoon suite Feb 14 - 16 budget 3000 nis", [("Feb 14 - 16", "2027-02-14/2027-02-16")]),
    ("the 14th of Feb through the 16th", [("14th of Feb through the 16th", "2027-02-14/2027-02-16")]),
    (
        "compare hanukkah first night vs last night of hanukkah",
        [("hanukkah first night", "2026-12-04/2026-12-05"), ("last night of hanukkah", "2026-12-11/2026-12-12")],
    ),
    ("4 adults 12/12-14/12", [("12/12-14/12", "2026-12-12/2026-12-14")]),
    ("12-14/12 4 adults", [("12-14/12", "2026-12-12/2026-12-14")]),
    ("I have 3 kids (2, 5, 8) and want Dec 20-23", [("Dec 20-23", "2026-12-20/2026-12-23")]),
    ("2 adults 2 children ages 3 and 6 Dec 20-23", [("Dec 20-23", "2026-12-20/2026-12-23")]),
    (
        "2 adults, 1 baby 10 months old, arriving Dec 20 for 2 nights",
        [("Dec 20 for 2 nights", "2026-12-20/2026-12-22")],
    ),
    ("From 20 to 23 December", [("From 20 to 23 December", "2026-12-20/2026-12-23")]),
    ("Wed to Fri", [("Wed to Fri", "2026-11-25/2026-11-27")]),
    ("Tue Dec 15 - Thu Dec 17", [("Tue Dec 15 - Thu Dec 17", "2026-12-15/2026-12-17")]),
    (
        "Book the DBL for 17/01/2027-19/01/2027 name David Levi email d@l.com",
        [("17/01/2027-19/01/2027", "2027-01-17/2027-01-19")],
    ),
    (
        "Sunday and Monday, which is cheaper?",
        [("Sunday", "2026-11-22/2026-11-23"), ("Monday", "2026-11-23/2026-11-24")],
    ),
    ("when is Passover?", [("Passover", "2027-04-21/2027-04-28")]),
    ("What date is Rosh Hashanah this year?", [("Rosh Hashanah this year", "!past")]),
    ("I'd like to come the weekend after Passover", [("the weekend after Passover", "2027-04-29/2027-05-01")]),
    ("Do you have rooms Mon-Wed next week?", [("Mon-Wed next week", "2026-11-23/2026-11-25")]),
    ("שלום, אנחנו זוג עם שני ילדים בני 4 ו-7, מחפשים חדר לפסח", [("פסח", "2027-04-21/2027-04-28")]),
    ("יש חדר פנוי ב-25 בדצמבר לשני לילות?", [("25 בדצמבר לשני לילות", "2026-12-25/2026-12-27")]),
    ('צריך שני חדרים לסופ"ש הקרוב', [('סופ"ש הקרוב', "2026-11-20/2026-11-21")]),
    ("כמה עולה לילה בינואר?", [("לילה בינואר", "2027-01-15/2027-01-16")]),
    ("כמה עולה חדר זוגי בסוף השבוע הבא?", [("סוף השבוע הבא", "2026-11-26/2026-11-28")]),
    ("אפשר להגיע ב-14 בדצמבר ולעזוב ב-17?", [("14 בדצמבר ולעזוב ב-17", "2026-12-14/2026-12-17")]),
    ("מגיעים ב-14 בדצמבר ועוזבים ב-17 בדצמבר, 2 מבוגרים", [("14 בדצמבר ועוזבים ב-17 בדצמבר", "2026-12-14/2026-12-17")]),
    ("הגעה 14.12 עזיבה 17.12 זוג + תינוק", [("הגעה 14.12 עזיבה 17.12", "2026-12-14/2026-12-17")]),
    ("צ'ק אין 10.12 צ'ק אאוט 12.12", [("צ'ק אין 10.12 צ'ק אאוט 12.12", "2026-12-10/2026-12-12")]),
    ("אנחנו 5 אנשים, 28.12-2.1", [("28.12-2.1", "2026-12-28/2027-01-02")]),
    ("שתי לילות בינואר לזוג", [("שתי לילות בינואר", "2027-01-15/2027-01-17")]),
    (
        "מה זול יותר: 14-16 בדצמבר או 21-23 בדצמבר?",
        [("14-16 בדצמבר", "2026-12-14/2026-12-16"), ("21-23 בדצמבר", "2026-12-21/2026-12-23")],
    ),
    ("תבדוק לי את חנוכה וגם את פסח", [("חנוכה", "2026-12-04/2026-12-12"), ("פסח", "2027-04-21/2027-04-28")]),
    ("חדר ל-3 לילות מ-5 בינואר", [("3 לילות מ-5 בינואר", "2027-01-05/2027-01-08")]),
    ("חדר ל-2 מבוגרים ל-3 לילות החל מ-5 בינואר", [("3 לילות החל מ-5 בינואר", "2027-01-05/2027-01-08")]),
    ("יש לכם בריכה? וגם חדר ל-12-14 בינואר", [("12-14 בינואר", "2027-01-12/2027-01-14")]),
    ('תקציב 1000 ש"ח ללילה, 5-7 בפברואר', [("5-7 בפברואר", "2027-02-05/2027-02-07")]),
    ("מחר בערב לזוג", [("מחר", "2026-11-21/2026-11-22")]),
    ("רוצה להזמין חדר למחר ללילה אחד", [("מחר ללילה אחד", "2026-11-21/2026-11-22")]),
    ("יש מקום הלילה?", [("הלילה", "2026-11-20/2026-11-21")]),
    ("היום יש מקום?", [("היום", "2026-11-20/2026-11-21")]),
    ("שני חדרים לשלושה לילות ביום שני", [("שלושה לילות ביום שני", "2026-11-23/2026-11-26")]),
    ("שני זוגות, לילה ראשון של חנוכה", [("לילה ראשון של חנוכה", "2026-12-04/2026-12-05")]),
    ("ביום ראשון הקרוב עד יום שלישי", [("יום ראשון הקרוב עד יום שלישי", "2026-11-22/2026-11-24")]),
    ("מבטל הזמנה מספר 8821 ל-14 בדצמבר", [("14 בדצמבר", "2026-12-14/2026-12-15")]),
    ("אני רוצה חדר עם נוף לים מ-17/1 עד 19/1 בבקשה", [("מ-17/1 עד 19/1", "2027-01-17/2027-01-19")]),
    ("לפסח 2027 יש מבצע?", [("פסח 2027", "2027-04-21/2027-04-28")]),
    ("בשבוע הראשון של ינואר, 3 לילות", [("שבוע הראשון של ינואר, 3 לילות", "2027-01-01/2027-01-04")]),
    ("בין 10 ל-15 במרץ, זוג ותינוק", [("בין 10 ל-15 במרץ", "2027-03-10/2027-03-15")]),
    ("ליל שישי הקרוב", [("שישי הקרוב", "2026-11-20/2026-11-21")]),
    ("סוויטה ליום האהבה", [("יום האהבה", "2027-02-14/2027-02-15")]),
    ("בליל סילבסטר יש מסיבה?", [("סילבסטר", "2026-12-31/2027-01-01")]),
    ('סופ"ש של 15 בינואר', [('סופ"ש של 15 בינואר', "2027-01-14/2027-01-16")]),
    ("שנים עשר בינואר לשני לילות", [("שנים עשר בינואר לשני לילות", "2027-01-12/2027-01-14")]),
    ("ב-1.5 יש מקום?", [("1.5", "2027-05-01/2027-05-02")]),
    ("4 מבוגרים ל-2 לילות מ-20.12", [("2 לילות מ-20.12", "2026-12-20/2026-12-22")]),
    ("ראש השנה לזוג, שני לילות", [("ראש השנה", "2027-10-01/2027-10-03")]),
    ("Hanukkah for two, under 1000 a night", [("Hanukkah", "2026-12-04/2026-12-12")]),
    ("Feb 5-7, around 900 NIS per night", [("Feb 5-7", "2027-02-05/2027-02-07")]),
    ("Feb 5-7 at 100$ a night", [("Feb 5-7", "2027-02-05/2027-02-07")]),
    (
        "Dec 14, 2 nights, or Dec 21",
        [("Dec 14, 2 nights", "2026-12-14/2026-12-16"), ("Dec 21", "2026-12-21/2026-12-23")],
    ),
    ("One week from January 5, 2 adults", [("One week from January 5", "2027-01-05/2027-01-12")]),
    ("we need the room for 3 days from Jan 5", [("3 days from Jan 5", "2027-01-05/2027-01-08")]),
    ("Can we get 2 meals a day on Dec 14-16?", [("Dec 14-16", "2026-12-14/2026-12-16")]),
    ("Dec 20 to Dec 23 (3 nights), 2 adults", [("Dec 20 to Dec 23 (3 nights)", "2026-12-20/2026-12-23")]),
    ("Dec 20 to Dec 23 (4 nights), 2 adults", [("Dec 20 to Dec 23 (4 nights)", "!unclear")]),
    ("3 nights, Dec 20-23", [("3 nights, Dec 20-23", "2026-12-20/2026-12-23")]),
    (
        "Jan 10-12 or Jan 17-19 or Jan 24-26",
        [
            ("Jan 10-12", "2027-01-10/2027-01-12"),
            ("Jan 17-19", "2027-01-17/2027-01-19"),
            ("Jan 24-26", "2027-01-24/2027-01-26"),
        ],
    ),
    (
        "10-12, 17-19 or 24-26 January",
        [
            ("10-12", "2027-01-10/2027-01-12"),
            ("17-19", "2027-01-17/2027-01-19"),
            ("24-26 January", "2027-01-24/2027-01-26"),
        ],
    ),
    (
        "Jan 10, 11 or 12 for one night",
        [
            ("Jan 10", "2027-01-10/2027-01-11"),
            ("11", "2027-01-11/2027-01-12"),
            ("12 for one night", "2027-01-12/2027-01-13"),
        ],
    ),
    ("Dec 14 and Dec 15", [("Dec 14", "2026-12-14/2026-12-15"), ("Dec 15", "2026-12-15/2026-12-16")]),
    ("arriving Friday and leaving Sunday", [("arriving Friday and leaving Sunday", "2026-11-20/2026-11-22")]),
    (
        "arriving next Friday, leaving on Monday, 2 adults",
        [("arriving next Friday, leaving on Monday", "2026-11-27/2026-11-30")],
    ),
    (
        "arriving April 12, 2 adults, leaving April 15",
        [("April 12, 2 adults, leaving April 15", "2027-04-12/2027-04-15")],
    ),
    ("leaving April 15, arriving April 12", [("leaving April 15, arriving April 12", "2027-04-12/2027-04-15")]),
    ("I leave on April 15", [("leave on April 15", "!unclear")]),
    ("we check out on the 15th", [("check out on the 15th", "!unclear")]),
    ("Easter week for 4", [("Easter week", "2027-03-28/2027-04-03")]),
    (
        "Rosh hashana, Yom kippur and sukkot",
        [
            ("Rosh hashana", "2027-10-01/2027-10-03"),
            ("Yom kippur", "2027-10-10/2027-10-11"),
            ("sukkot", "2027-10-15/2027-10-22"),
        ],
    ),
    ("anything 12-14 Feb?", [("12-14 Feb", "2027-02-12/2027-02-14")]),
    ("Anything between Christmas and New Year?", [("between Christmas and New Year", "2026-12-25/2027-01-01")]),
    ("between christmas and new years", [("between christmas and new years", "2026-12-25/2027-01-01")]),
    ("from christmas eve until new years day", [("from christmas eve until new years day", "2026-12-24/2027-01-01")]),
    ("from Dec 24 to new year's eve", [("from Dec 24 to new year's eve", "2026-12-24/2026-12-31")]),
    ("For Passover seder 2 nights", [("Passover seder 2 nights", "2027-04-21/2027-04-23")]),
    ("Passover first 3 nights", [("Passover first 3 nights", "2027-04-21/2027-04-24")]),
    ("the first two nights of Hanukkah, 2 adults", [("the first two nights of Hanukkah", "2026-12-04/2026-12-06")]),
    ("all of Hanukkah", [("Hanukkah", "2026-12-04/2026-12-12")]),
    ("the whole Passover", [("Passover", "2027-04-21/2027-04-28")]),
    ("half board Dec 14 - 16", [("Dec 14 - 16", "2026-12-14/2026-12-16")]),
    ("dec 14 2026 2 nights", [("dec 14 2026 2 nights", "2026-12-14/2026-12-16")]),
    ("Sat 5 Dec for 2 nights", [("Sat 5 Dec for 2 nights", "2026-12-05/2026-12-07")]),
    ("Fri 4/12 - Sun 6/12", [("Fri 4/12 - Sun 6/12", "2026-12-04/2026-12-06")]),
    ("4.12 (Fri) to 6.12 (Sun)", [("4.12 (Fri) to 6.12 (Sun)", "2026-12-04/2026-12-06")]),
    ("Fri 5/12 - Sun 7/12", [("Fri 5/12 - Sun 7/12", "!invalid")]),
    ("checkin 2026-12-14 checkout 2026-12-16", [("checkin 2026-12-14 checkout 2026-12-16", "2026-12-14/2026-12-16")]),
    ("2026-12-14/2026-12-16", [("2026-12-14/2026-12-16", "2026-12-14/2026-12-16")]),
    ("14/12/2026 - 16/12/2026", [("14/12/2026 - 16/12/2026", "2026-12-14/2026-12-16")]),
    ("14-16/12/26", [("14-16/12/26", "2026-12-14/2026-12-16")]),
    ("14th-16th December", [("14th-16th December", "2026-12-14/2026-12-16")]),
    ("14th to the 16th", [("14th to the 16th", "2026-12-14/2026-12-16")]),
    ("the 14th", [("the 14th", "2026-12-14/2026-12-15")]),
    ("14th December to 16th", [("14th December to 16th", "2026-12-14/2026-12-16")]),
    ("on the fourteenth of december", [("the fourteenth of december", "2026-12-14/2026-12-15")]),
    ("december fourteenth", [("december fourteenth", "2026-12-14/2026-12-15")]),
    ("mid-January, 3 nights", [("mid-January, 3 nights", "2027-01-15/2027-01-18")]),
    (
        "end of January or beginning of February",
        [("end of January", "2027-01-25/2027-01-27"), ("beginning of February", "2027-02-05/2027-02-07")],
    ),
    ("next month for 2 nights", [("next month for 2 nights", "2026-12-15/2026-12-17")]),
    ("3 nights next week", [("3 nights next week", "2026-11-22/2026-11-25")]),
    ("2 nights next weekend", [("2 nights next weekend", "2026-11-26/2026-11-28")]),
    ("one night this weekend", [("one night this weekend", "2026-11-20/2026-11-21")]),
    ("a night in Hanukkah", [("a night in Hanukkah", "2026-12-04/2026-12-05")]),
    ("two nights in the middle of Hanukkah", [("two nights in the middle of Hanukkah", "2026-12-07/2026-12-09")]),
    ("this coming weekend", [("this coming weekend", "2026-11-20/2026-11-21")]),
    ("the upcoming weekend", [("the upcoming weekend", "2026-11-20/2026-11-21")]),
    ("the following weekend", [("the following weekend", "2026-11-26/2026-11-28")]),
    ("wekend of 12 december", [("wekend of 12 december", "2026-12-10/2026-12-12")]),
    ("Sunday 22 November to Tuesday 24", [("Sunday 22 November to Tuesday 24", "2026-11-22/2026-11-24")]),
    ("today until Sunday", [("today until Sunday", "2026-11-20/2026-11-22")]),
    ("from today to tomorrow", [("from today to tomorrow", "2026-11-20/2026-11-21")]),
    ("Nov 20-22", [("Nov 20-22", "2026-11-20/2026-11-22")]),
    ("Nov 19-21", [("Nov 19-21", "2027-11-19/2027-11-21")]),
    ("20/11", [("20/11", "2026-11-20/2026-11-21")]),
    ("19/11/2026", [("19/11/2026", "!past")]),
    ("late checkout on Sunday please", [("checkout on Sunday", "!unclear")]),
    ("Dec 14-16, leaving on the 16th at 5am", [("Dec 14-16", "2026-12-14/2026-12-16")]),
    ("in January", [("January", "2027-01-15/2027-01-17")]),
    ("what about January?", [("January", "2027-01-15/2027-01-17")]),
    (
        "Hello! I would like to know if you have availability for 2 adults and one child (4yo) from the 24th to the 27th of December.",
        [("from the 24th to the 27th of December", "2026-12-24/2026-12-27")],
    ),
    (
        "Hi there, looking for a double room, check-in: 10/01/2027, check-out: 14/01/2027",
        [("10/01/2027, check-out: 14/01/2027", "2027-01-10/2027-01-14")],
    ),
    ("Check-in Jan 10 Check-out Jan 14, 2 adults", [("Check-in Jan 10 Check-out Jan 14", "2027-01-10/2027-01-14")]),
    ("Check in: Sunday, Check out: Wednesday", [("Sunday, Check out: Wednesday", "2026-11-22/2026-11-25")]),
    (
        "arrival: 2027-01-10; departure: 2027-01-12; guests: 2",
        [("2027-01-10; departure: 2027-01-12", "2027-01-10/2027-01-12")],
    ),
    ("Any rooms tonight for 2 people + dog?", [("tonight", "2026-11-20/2026-11-21")]),
    ("Do you have something for tomorrow night? just me", [("tomorrow night", "2026-11-21/2026-11-22")]),
    (
        "I want to book DBL from Jan 17 to Jan 19 for 2 adults, BB, name Dana Levi",
        [("from Jan 17 to Jan 19", "2027-01-17/2027-01-19")],
    ),
    ("Please book the family suite, Jan 17 – Jan 19", [("Jan 17 – Jan 19", "2027-01-17/2027-01-19")]),
    ("how much for a family of 5 over the weekend?", [("the weekend", "2026-11-20/2026-11-21")]),
    ("Is it possible to stay 3 nights from Thursday?", [("3 nights from Thursday", "2026-11-26/2026-11-29")]),
    (
        "Can we stay from Thursday 26 November until Sunday 29?",
        [("from Thursday 26 November until Sunday 29", "2026-11-26/2026-11-29")],
    ),
    ("what's the cheapest weekend in January?", [("weekend in January", "2027-01-07/2027-01-09")]),
    ("cheapest night in December", [("December", "2026-12-15/2026-12-17")]),
    (
        "Is there a room for one night between Jan 10 and Jan 15?",
        [("one night between Jan 10 and Jan 15", "2027-01-10/2027-01-11")],
    ),
    ("2 rooms for 2 nights each, Jan 5", [("2 nights each, Jan 5", "2027-01-05/2027-01-07")]),
    ("Is Jan 5 or 6 cheaper?", [("Jan 5", "2027-01-05/2027-01-06"), ("6", "2027-01-06/2027-01-07")]),
    ("arrive late on 9 Dec, leave early 12 Dec", [("9 Dec, leave early 12 Dec", "2026-12-09/2026-12-12")]),
    ("my kids are 3 and 5. do you have a cot? dates 3-5 march", [("3-5 march", "2027-03-03/2027-03-05")]),
    ("We are 10 people, can you host us on 10/10?", [("10/10", "2027-10-10/2027-10-11")]),
    ("do you have 2 connecting rooms on Hanukkah for 2 nights", [("Hanukkah for 2 nights", "2026-12-04/2026-12-06")]),
    ("the 1st of the month for 2 nights", [("the 1st of the month for 2 nights", "2026-12-01/2026-12-03")]),
    ("Feb 2027, 3 nights", [("Feb 2027, 3 nights", "2027-02-14/2027-02-17")]),
    ("in February 2027", [("February 2027", "2027-02-14/2027-02-16")]),
    ("3 nights around the 10th of March", [("3 nights around the 10th of March", "2027-03-10/2027-03-13")]),
    ("for 4 people, 2 nights, from 4 to 6 April", [("2 nights, from 4 to 6 April", "2027-04-04/2027-04-06")]),
    ("Friday to Sunday, 1 adult, 1 child 5 years old", [("Friday to Sunday", "2026-11-20/2026-11-22")]),
    ("is there a minimum stay on Passover?", [("Passover", "2027-04-21/2027-04-28")]),
    ("Do you have kosher for Passover food?", [("Passover", "2027-04-21/2027-04-28")]),
    ("Is the restaurant open on Yom Kippur?", [("Yom Kippur", "2027-10-10/2027-10-11")]),
    ("what are your prices for next summer?", [("next summer", "!unclear")]),
    ("rooms on the second floor for second of May", [("second of May", "2027-05-02/2027-05-03")]),
    ("2nd of May till 5th", [("2nd of May till 5th", "2027-05-02/2027-05-05")]),
    ("05.05.2027 - 07.05.2027", [("05.05.2027 - 07.05.2027", "2027-05-05/2027-05-07")]),
    ("may 5-7", [("may 5-7", "2027-05-05/2027-05-07")]),
    ("from may 5 till may 7", [("from may 5 till may 7", "2027-05-05/2027-05-07")]),
    ("March 3rd is our anniversary, room for that night", [("March 3rd", "2027-03-03/2027-03-04")]),
    ("Room for Sat night", [("Sat night", "2026-11-21/2026-11-22")]),
    ("sat-mon", [("sat-mon", "2026-11-21/2026-11-23")]),
    ("sun terrace room for sun to tue", [("sun to tue", "2026-11-22/2026-11-24")]),
    ("wed 2 dec to fri 4 dec", [("wed 2 dec to fri 4 dec", "2026-12-02/2026-12-04")]),
    (
        "3-4 December or 10-11 December, 2 people",
        [("3-4 December", "2026-12-03/2026-12-04"), ("10-11 December", "2026-12-10/2026-12-11")],
    ),
    ("Any availability for New Year's? 31/12 - 2/1", [("New Year's? 31/12 - 2/1", "2026-12-31/2027-01-02")]),
    ("Hanukkah (Dec 4-6), 2 adults", [("Hanukkah (Dec 4-6", "2026-12-04/2026-12-06")]),
    ("Shabbat Hanukkah for 2", [("Shabbat Hanukkah", "2026-12-04/2026-12-05")]),
    ("Shabbat 5 December", [("Shabbat 5 December", "2026-12-05/2026-12-06")]),
    ("weekend 4-6 December", [("4-6 December", "2026-12-04/2026-12-06")]),
    ("next weekend, 27-29 November", [("next weekend, 27-29 November", "2026-11-27/2026-11-29")]),
    ("Rosh Hashana 2027, both nights", [("Rosh Hashana 2027, both nights", "2027-10-01/2027-10-03")]),
    ("Book me for the first available weekend in January", [("weekend in January", "2027-01-07/2027-01-09")]),
    ("half board for 3, Purim", [("Purim", "2027-03-22/2027-03-23")]),
    ("שבת חנוכה לזוג", [("שבת חנוכה", "2026-12-04/2026-12-05")]),
    ("Hanukkah, Dec 20-22", [("Hanukkah", "2026-12-04/2026-12-12"), ("Dec 20-22", "2026-12-20/2026-12-22")]),
    ("צ'ק-אין: 10.1.27, צ'ק-אאוט: 12.1.27", [("10.1.27, צ'ק-אאוט: 12.1.27", "2027-01-10/2027-01-12")]),
)

NO_DATES = (
    "can I extend my stay by one night?",
    "can you add one night to my booking?",
    "does the price include VAT for tourists in 2027?",
    "we were 3 nights there in 2019",
    "room service until 23:00",
    "top 3 rooms under 900",
    "between 800 and 1000 shekels per night",
    "עד 1000 שקל ללילה",
    "kids aged 5 and 8",
    "in room 12",
    "Is reception open 24/7?",
    "Do you have a room for 4 people for the 3rd floor",
    "book 2 rooms for John, phone 050-1234567, email a@b.com",
    "Is it cheaper on weekdays?",
    "Is breakfast at 8 or 9?",
    "confirmation number 4521",
    "second room please",
    "Is breakfast included? what time is check in?",
    "what time is check out on Saturdays?",
    "How far is the beach, 5 minutes?",
    "I need 2 rooms for 1 night",
    "Could you do 5 nights for the price of 4?",
    "what about the week after?",
    "same dates but 3 adults",
    "and for 3 nights?",
    "make it 2 nights instead",
    "what about a day later",
    "Room 305 was noisy on my last stay",
    "I prefer room type TRP at 1,200 NIS",
    "do you have a march discount",
    "is the sun deck open",
    "we sat on the terrace",
    "are weekends more expensive?",
    "הילד בן 3",
    "חדר 12 היה רועש",
    "אנחנו שני מבוגרים",
    "מה שעות הצ'ק אין?",
    "יש לכם ארוחת בוקר?",
    "מה המרחק לים, 5 דקות?",
    "חדר לחג",
    "האם החדר כולל 2 מיטות?",
    "עד מתי אפשר לבטל?",
    "Is cancellation free 3 days before?",
    "reservation WG-2026-1234 please cancel",
    "cancel reservation 2026-1234, Levi",
    "between 5pm and 6pm",
    "from 10 to 12 people",
    "ages 10-12",
    "do you have 24-hour reception",
    "price 10-12 USD?",
    "call me at 054-123-4567",
    "we need 5-6 rooms",
    "my sister only comes for the last night",
    "one week 2 adults",
)


def told(phrase: DatePhrase) -> tuple[str, str]:
    found = phrase.resolution
    if found.error:
        return phrase.text, f"!{found.error}"
    return phrase.text, f"{found.stays[0].check_in}/{found.stays[0].check_out}"


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_dates_of_a_sentence(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert [told(phrase) for phrase in find_dates(sentence, today=FRIDAY)] == expected


@pytest.mark.parametrize("sentence", NO_DATES)
def test_sentence_without_dates(sentence: str) -> None:
    assert find_dates(sentence, today=FRIDAY) == []


ANCHORED = (
    ("two nights up to Purim eve", "2027-03-20/2027-03-22"),
    ("five nights finishing on 30 April", "2027-04-25/2027-04-30"),
    ("four nights and we have to be out by Sunday 21 March", "2027-03-17/2027-03-21"),
    ("We land on Tuesday the 9th of February and fly home the Friday after", "2027-02-09/2027-02-12"),
    ("In: Sunday March 7. Out: Wednesday.", "2027-03-07/2027-03-10"),
    ("Feb 9 & 10, both nights", "2027-02-09/2027-02-11"),
    ("the weekend straight after Purim", "2027-03-25/2027-03-27"),
    ("landing 3 Feb and taking off on the Sunday after", "2027-02-03/2027-02-07"),
    ("Thursday 4 March plus the Friday, both nights", "2027-03-04/2027-03-06"),
    ("the week leading up to Passover", "2027-04-14/2027-04-21"),
    ("מגיעים בערב 4 במאי ועוזבים בבוקר ה-7", "2027-05-04/2027-05-07"),
    ("חמישה לילות שמסתיימים ב-30 באפריל", "2027-04-25/2027-04-30"),
    ("מגיעים בשלישי 9 בפברואר וחוזרים בשישי", "2027-02-09/2027-02-12"),
    ("כניסה: ראשון 7 במרץ. יציאה: רביעי.", "2027-03-07/2027-03-10"),
    ("9 ו-10 בפברואר, שני הלילות", "2027-02-09/2027-02-11"),
    ("ביום רביעי שלפני פסח לארבעה לילות", "2027-04-21/2027-04-25"),
)
"""A length or a departure by an anchor: up to it, out by it, the weekday after it."""


@pytest.mark.parametrize(("sentence", "ends"), ANCHORED)
def test_a_stay_by_an_anchor(sentence: str, ends: str) -> None:
    assert [told(phrase)[1] for phrase in find_dates(sentence, today=FRIDAY)] == [ends]


PARTS = (
    ("one night in Hanukkah", "Hanukkah", (0, 1)),
    ("first night of Hanukkah", "Hanukkah", (0, 1)),
    ("the third night of Hanukkah", "Hanukkah", (2, 3)),
    ("last night of Hanukkah", "Hanukkah", (-2, -1)),
    ("last two nights of Hanukkah", "Hanukkah", (-3, -1)),
    ("two nights during Passover for 2 adults", "Passover", (0, 2)),
    ("שני לילות בפסח", "Passover", (0, 2)),
    ("הלילה השני של חנוכה", "Hanukkah", (1, 2)),
    ("שני הלילות האחרונים של פסח", "Passover", (-3, -1)),
    ("weekend of Hanukkah", "Hanukkah", (6, 8)),
    ("erev Rosh Hashana", "Rosh Hashanah", (0, 1)),
    ("do you have rooms for hanuka?", "Hanukkah", None),
)


@pytest.mark.parametrize(("sentence", "name", "part"), PARTS)
def test_part_of_a_holiday(sentence: str, name: str, part: tuple[int, int] | None) -> None:
    (phrase,) = find_dates(sentence, today=FRIDAY)
    assert (phrase.holiday, phrase.part) == (name, part)


@pytest.mark.parametrize(("sentence", "name", "part"), [case for case in PARTS if case[2]])
def test_part_indexes_lead_to_the_stay(sentence: str, name: str, part: tuple[int, int]) -> None:
    """The indexes of `part` into the whole holiday's dates give the stay itself."""
    (phrase,) = find_dates(sentence, today=FRIDAY)
    (whole,) = find_dates(name, today=FRIDAY)
    stay, start = phrase.resolution.stays[0], whole.resolution.stays[0].check_in.toordinal()
    dates = [date.fromordinal(start + n) for n in range(whole.resolution.stays[0].nights + 1)]
    assert (dates[part[0]], dates[part[1]]) == (stay.check_in, stay.check_out)


def test_span_of_a_phrase_is_its_text() -> None:
    sentence = "שלום, 17-19 בינואר או next weekend?"
    for phrase in find_dates(sentence, today=FRIDAY):
        assert sentence[phrase.start : phrase.end] == phrase.text


def test_weekend_nights_of_the_property() -> None:
    (phrase,) = find_dates("next weekend", today=FRIDAY, weekend_nights=[4, 5])
    assert told(phrase) == ("next weekend", "2026-11-27/2026-11-29")
