"""Reads what a message is for: a stay, a fact, a booking, small talk, or something the agent does not do."""

import re

from wavegraph.tools.hotel.reading.deeds import HOLDING

_HE_ORDERS = r"תזמינ[יו]|תזמין|תשריינ[יו]|תשריין|תסגר[יו]|תסגור|[אנ]זמין|[אנ]שריין|מזמינ(?:ה|ים|ות)|מזמין"
_HE_ORDERS_WITH = r"הזמן|הזמינ[יו]|שריינ[יו]|שריין|סגר[יו]|סגור|קח[יו]?"
"""Words that order a stay only before what is ordered: `הזמן` is `the time` too, `סגור` is `closed`."""
_HE_TO_BOOK = r"להזמין|לשריין|לסגור|לקחת|(?:לבצע|לעשות) הזמנה"
_HE_WISHES = (
    r"(?:רוצ(?:ה|ים|ות)|רצי(?:תי|נו)|[אנ]רצה|ברצונ(?:י|נו)|מעוני?ינ(?:ת|ים|ות)|מעוני?ין|מבקש(?:ת|ים|ות)?|[אנ]בקש|[אנ]שמח|"
    r"צריך|צריכ(?:ה|ים|ות)|בא לי|נא|אפשר|ניתן|[אנ]וכל|יכול(?:ה|ים|ות)?|איך|אז)(?: בבקשה| מאוד)?|בבקשה"
)
_HE_BESIDE = r"(?: (?:לי|לנו|נא|בבקשה|אצלכם|עבור(?:י|נו)|גם|רק|כבר|מראש|עוד|עכשיו|בכל זאת|\d{1,2}))*"
_HE_STAY = r"(?: ה?(?:חדר|סוו?יט|דלוקס|זוגי|שהות|לינה|לילה|לילות)[א-ת]*| את (?:זה|ה(?:חדר|סוו?יט|דלוקס|זוגי|שהות|זול|יקר|ראשו|שני|שלישי|אחרו|אופציה|אפשרות|הצעה)[א-ת]*)| אות[והםן]| ל?-?\|)"
"""A stay, a room, one of those told, or a date, which is blanked."""

_INTENTS: dict[str, str] = {
    "day_visit": r"\b(?:no|not|without) (?:sleeping|staying (?:over|the night)|overnight stay)\b|\bday[\s-](?:use|pass|guests?|visit(?:ors?)?|trip|of fun)\b|"
    r"\bfun day\b|\bno overnight\b|\b(?:just|only) for (?:the day|lunch|dinner|a few hours)\b|(?:בלי|ללא) (?:לינה(?! בלבד)|לישון|ללון)|יום כיף|"
    r"(?<![א-ת])לא (?:ישנים|נישן|נלון|לנים)(?![א-ת])|(?<![א-ת])(?:ביקור|בילוי) יומי",
    "lodging": r"\b(?:what|anything) else\b|\b(?:other|more) options?\b|עוד אפשרויות|מה עוד יש|\bavailab\w*|\bvacanc|"
    r"\bfull\b(?! board| name)|\bfully booked\b|\bsold out\b|\brooms?\b(?![\s-]service)|\bstay(?:ing)?\b|\bnights?\b|"
    r"\bsuites?\b|\bdoubles?\b|\btriples?\b|\bbeds?\b|\bfree (?:on|for|from|next|this|in|during)\b|"
    r"\banything\b|"
    r"מקום(?! חניה)|פנוי|זמינות|חדר(?!\s*(?:כושר|אוכל|ישיבות))|חדרים|לילות|לילה|סוויט|להזמין",
    "wish": r"\bsome ?time\b|\bsome ?day\b|\bnot sure when\b|\bflexible (?:on |with )?dates\b|"
    r"\bin (?:the )?(?:spring|summer|autumn|winter|fall)\b|\bsoon\b|מתישהו|בקרוב|באביב|בקיץ|בחורף|בסתיו|"
    r"תאריכים גמישים|\bavailab\w*|\bvacanc|\bfree\b(?! (?:wifi|parking|breakfast|cancel|of))|\brooms?\b|"
    r"\bstay(?:ing)?\b|\bbook\b|\breserv\w*|\barriv\w+|\bcheck[\s-]?in\b|\blooking for\b|\bnights?\b|"
    r"\bcome\b|\bcoming\b|\bvisit|\baccommodation\b|\bbeds?\b|\bopen dates?\b|\bsuites?\b|\bdoubles?\b|"
    r"\bvacation\b|\bholiday\b|\bgetaway\b|"
    r"מקום(?! חניה)|פנוי|פנויה|פנויים|זמינות|זמין|זמינים|חדר(?!\s*(?:כושר|אוכל|ישיבות))|חדרים|להזמין|"
    r"הזמנה|לילות|לילה|להגיע|מגיעים|רוצים|לבוא|לישון|נופש|חופשה|סוויט|תבדק|תבדוק|לבדוק|בדיקת",
    "price": r"^\W*(?:(?:ok(?:ay)?|then|and|so|no|just|the price)\W+){0,3}in (?:shekels?|nis|ils)\b|^\W*(?:(?:אז|אוקיי|ו)\W*){0,2}בשקלים|\b(?:in|the|what'?s the|grand) total\b(?! of)|^\W*total\b|\ball together\b|(?<![א-ת])סה\"כ|כמה (?:זה )?(?:ב?יחד|הכ[ו]?ל|בסך ה?כ[ו]?ל|יוצא)(?![א-ת])|\bhow much\b|\bprices?\b|\bcosts?\b|\brates?\b|\bquote\b|\bcharge\b|\bwhat'?s the damage\b|(?<![א-ת])ה?(?:הצעה|להציע|תציעו)(?![א-ת])|כמה (?:זה )?(?:עולה|יעלה|עולים|"
    r"תעלה)|מחיר|מחירים|עלות|הצעת מחיר|כמה עולה",
    "cheapest": r"\bcheapest\b|\blowest (?:price|rate)|\bbest (?:price|rate|deal)\b|\bleast expensive\b|"
    r"\bmost affordable\b|\bcheap\b|הכי זול|זול ביותר|הזול ביותר|הזולה ביותר|המחיר הנמוך|הכי משתלם|"
    r"הכי נמוך|בזול",
    "compare": r"\bcheaper\b|\bbetter deal\b|\b(?:more|less) expensive\b|\bcompar\w*|\bversus\b|\bvs\b\.?|\bwhich (?:one |dates? |"
    r"weekend |is )?(?:is )?(?:better|cheaper)\b|\bdiff?(?:erences?|erance)?\b|יותר זול|"
    r"זול יותר|השווא|תשווה|תשוו|להשוות|לעומת|ההבדל|ההפרש|מה עדיף|מול(?= )",
    "rooms_info": r"\bwhich rooms?\b(?! (?:is|are) (?:free|available|open|cheap\w*))|\b(?:do|does|are|is) (?:all|the|"
    r"your|every|each)(?: of)?(?: the| your)? (?:\w+[\s-]){0,2}(?:rooms|suites) (?:have|with|got|face|"
    r"come)\b|\bwhat floor\b|\bdiff?(?:erences?|erance)? (?:between|of) (?:the |a |"
    r"your )?(?:\w+[\s-]){1,3}and\b[^.?!]{0,120}\b(?:rooms?|suites?|double|deluxe|triple)|\b(?:what|"
    r"which) (?:kinds? of |types? of |sort of )?(?:rooms?|suites?|"
    r"room types?)\b(?! (?:is|are) (?:free|available|open|left|vacant))|\broom types?\b|\b(?:kinds?|"
    r"types?|sorts?) of rooms?\b|\b(?:biggest|largest|smallest|bigger|nicest|best) (?:room|suite|one)\b|"
    r"\bhow (?:many people|many guests|big|large|many beds)\b|\b(?:size|square met\w+|sqm) of\b|"
    r"\bwhat (?:size|beds?)\b|\bhow many (?:can )?(?:people )?(?:fit|sleep)|\b(?:list|"
    r"show)\b[^.?!]{0,15}\brooms?\b|\btell me (?:more )?about (?:the |your )?(?:\w+[\s-]){0,2}(?:rooms?|"
    r"suites?)\b|\bdescri\w+ (?:the |your )?(?:\w+[\s-]){0,2}(?:rooms?|suites?)|"
    r"\bhow many (?:rooms|suites) (?:do you have|are there|does the hotel have|have you)\b(?! free| available| left)|"
    r"\bwhat(?:'?s| is| does)(?: included| there)? in (?:the|this|that) (?:\w+[\s-]){0,3}(?:room|suite)|\bmax(?:imum)? (?:occupancy|capacity)\b|\b(?:do you have|have you got|are there|got|you have) (?:any |some )?(?:rooms|"
    r"suites) (?:with|that|which|facing|overlooking)\b|"
    r"\bdo you have (?:(?!any|a|free|available|vacant|some|enough|\d)\w+[\s-]){1,2}(?:rooms|"
    r"suites)\b(?! available| free| on\b| for\b)|\brooms? (?:options?|list|descriptions?)|"
    r"(?:אילו|איזה|אלו|מה|איזו) (?:סוגי? )?(?:ה)?(?:חדרים|סוויטות|חדר (?:יש|מתאים|מספיק))|סוגי (?:ה)?חדרים|"
    r"(?:ה)?חדר הכי גדול|החדר הגדול|חדר הגדול ביותר|כמה (?:אנשים|אורחים|מיטות|נפשות|"
    r"ישנים)[^.?!]{0,20}(?:חדר|נכנס|בסוויטה|יכול|ישנ)|גודל (?:ה)?(?:חדר|סוויטה)|מה גודל|כמה מטר|"
    r"ספרו? לי על (?:ה)?(?:חדר|סוויט)|(?<![א-ת])תארו?(?![א-ת])|איזה חדר זה|לכמה אנשים|(?:מה )?ההבדל (?:בין|בינ(?:ו|ה|יהם|יהן) [לו]בין) [^?.!]{0,25}(?:חדר|סוו?יט|דלוקס|זוגי|משפחתי)|אילו חדרים|"
    r"מה יש בחדר|יש לכם (?:חדרים|סוויטות|חדר משפח)",
    "greeting": r"^\W*(?:hi|hello|hey|hiya|shalom|good (?:morning|evening|afternoon|day)|greetings|היי|הי|שלום|"
    r"בוקר טוב|ערב טוב|צהריים טובים|אהלן)\b",
    "help": r"^\W*(?:help|what can you do|who are you|how are you|what(?:'s| is) your name|what do you do|"
    r"how does this work|menu|עזרה|מי אתה|מי את|מה אתה יודע|מה אפשר|מה שלומך|מה נשמע)[\s?!.]*$",
    "thanks": r"\bthank(?:s| you)\b|\bthx\b|\bcheers\b|\bgreat,? that'?s all\b|\bthat'?s all\b|\bbye\b|\bgoodbye\b|"
    r"\bsee you\b|\bperfect\b|^\W*(?:no|not a) (?:problem|worries)(?: at all)?\W*$|^\W*(?:אין בעיה|לא נורא)\W*$|תודה|להתראות|ביי(?![א-ת])|זה הכל",
    "keep": r"\b(?:keep|leave) (?:it|that|(?:the|my|our|this) (?:booking|reservation|room))\b|"
    r"(?<![א-ת])(?:ת?שאיר[יו]?|להשאיר|משאיר(?:ה|ים)?) (?:אות[הו]|(?:את )?(?:זה|ההזמנה|החדר))(?![א-ת])",
    "wait": r"\bnot yet\b|\b(?:has|have|needs?|wants?) to (?:think|check|decide|agree|see|ask)\b|^\W*(?:(?:ok(?:ay)?|yes|no|actually|sorry|oh|well|hm+)\W+){0,3}(?:wait|hold on|hang on|just a (?:moment|minute|sec\w*)|1 (?:moment|minute|sec\w*)|a moment|"
    r"give (?:me|us) a\b|i'?m not sure|not sure|let (?:me|us) (?:think|ask|check|talk|speak)|i(?:'ll| will| need to| have to| must) (?:think|ask|check with|talk to))"
    r"(?! (?:free|avail\w*|if you|whether))|(?:עוד|עדיין) לא(?![א-ת])|^\W*(?:כן |לא )?(?:רגע|חכו|חכי|שנייה|דקה)(?![א-ת])|"
    r"(?:תנו|תן|תני) לי (?:רגע|לחשוב|לבדוק)|(?:אני )?(?:צריך|צריכה|צריכים|רוצה|חייב|חייבת) (?:לחשוב|להתייעץ|לבדוק|לשאול|להחליט)|לא בטוח|"
    r"\b(?:we|i)(?:'ll| will) (?:think|talk|discuss|decide|get back|let you know)\b|(?<![א-ת])(?:נחשוב|אחשוב|נתייעץ|אתייעץ|נחזור אלי|אחזור אלי|נחליט|נדבר על)",
    "later": r"\b(?:(?:i|we)(?:'ll| will| must| (?:have|need|want) to|'d like to)|let (?:me|us)|going to)(?: just| first| now)? "
    r"(?:think|discuss|decide|consult|check with|ask my|get back|come back|be back|let you know|say (?:yes|so)|tell you|answer|confirm|reply|write back|(?:talk|speak) (?:it over|about it|(?:to|with) (?:my|our|him|her|them)))\b|"
    r"(?<![א-ת])ו?(?:[נא](?:חשוב|תייעץ|חזור אלי|דבר (?:על|עם)|עדכן|שאל את|חליט|ודיע|גיד ל|ענה)|(?:לחשוב|להתייעץ|לדבר עם|לשאול את))",
    "some_nights": r"\b(?:only|just) (?:for |on |comes? for |joins? (?:us )?for )?(?:the )?(?:last|first|second|1) (?:night|evening)\b|"
    r"\b(?:last|first) (?:night|evening) only\b|רק (?:ב|ל)?(?:ערב|לילה) ה?(?:אחרון|ראשון|שני)(?![א-ת])",
    "complaint": r"\b(?:compensation|compensate|unacceptable|outrageous|disgusting|without (?:asking|telling) (?:me|us))\b|"
    r"\b(?:i|we) (?:want|need|have|wish|would like) to complain\b|(?<![א-ת])(?:פיצוי|בושה|להתלונן|תלונה|בלי לשאול אות(?:י|נו))(?![א-ת])",
    "summary": r"\bwhat (?:exactly )?(?:did|have|do) you (?:actually |just )?(?:note|noted|write|written|put|got|have|record|recorded)(?: down)?(?: for (?:me|us))?(?: so far| now)?\W*$|"
    r"\bwhat (?:exactly |precisely )?(?:would|will|do|are) you (?:actually |just |now |going to )?(?:be )?(?:book|cancel|reserv)\w*\W*$|"
    r"\bwhat (?:exactly |precisely )?(?:am i|are we|do i|do we|would i be|would we be|will be|would be|is|is being) (?:actually |just |now )?(?:being )?"
    r"(?:agree|say|confirm|book|cancel|approv|accept)\w*(?: yes)?(?: to)?\W*$|\bwhat (?:was|is|were) (?:the|your) question\b|"
    r"מה (?:בדיוק |בעצם )?(?:רשמת|רשמתם|הזמנת|נרשם|תזמינ[יו]?|תזמין|יוזמן|מוזמן|תבטל[יו]?|יבוטל|מתבטל)(?: בדיוק| בעצם)?(?![א-ת])|"
    r"על מה (?:בדיוק )?(?:אני|אנחנו) (?:מסכימ?|מאשר)|מה (?:היתה|הייתה) השאלה",
    "again": r"\b(?:show|tell|send|repeat|say|read)\b[^.?!]{0,25}\b(?:again|once more|1 more time|the terms)\b|^\W*(?:please )?repeat\W*$|"
    r"(?<![א-ת])(?:תרא[הוי]|תחזר[יו]|תחזור|תגיד[יו]?|תשלח[יו]?|אפשר לראות|להראות)[^.?!]{0,20}(?:שוב|שנית|עוד פעם)(?![א-ת])",
    "accept": r"^\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please do|go ahead|go for it|why not|let'?s do it|do it|confirm(?:ed)?|sounds good|deal|כן|"
    r"בטח|אוקיי|אוקי|סבבה|מאשר(?:ת|ים)?|יאללה|בסדר|לכו על זה|לך על זה|לכי על זה|למה לא|אכן|סגור(?! ב)|סגרנו|מסכימ?(?:ה|ים)?|"
    r"(?:i |we )?agreed?|(?:i |we )?accept|indeed|correct(?! me)|approved?)(?:[\s,.!]|$)",
    "told_before": r"\b(?:you|someone|somebody|they|your colleague) (?:told|quoted|offered|promised)(?: me| us)\b|\b(?:price|quote|offer) (?:that )?you (?:gave|sent|quoted|told|offered)\b|"
    r"(?<![א-ת])ש?(?:אמרת|אמרתם|הצעת|הצעתם|הבטחתם|נתתם) ל(?:י|נו)(?![א-ת])|(?:קיבלתי|קיבלנו) מכם (?:הצעה|מחיר|הצעת)",
    "book": r"\b(?:take|book) (?:it|that)\b|(?<![א-ת])קחי?ו? אות[והם](?![א-ת])|\bbook (?:it|this|that|the|me (?:in|the|that)|us|now|one)\b|\breserve (?:it|this|that|the)\b|"
    r"\b(?:i'?ll|we'?ll|i will|we will|let me|let's|i want to|i'd like to|we'd like to) take\b|"
    r"\bconfirm (?:it|the booking|the reservation|my)|\bmake (?:a|the) (?:booking|reservation)\b|"
    r"^\W*(?:(?:please|yes|ok(?:ay)?|can you|could you|would you)\W+)*(?:book|reserve)(?: me| us)? (?:an?|the|\d{1,3})\b(?! table)|"
    r"\b(?:book|reserve) (?:another|1 more)\b|\b(?:like|want|love) to (?:book|reserve)\b|"
    r"\b(?:can|could|may) (?:i|we) (?:book|reserve)\b|\bbook (?:whatever|whichever|any)\b|"
    r"\b(?:i|we) want (?:it|this one|that one)\b|\b(?:i|we)'?ll have the\b|"
    r"(?:^|[.!,;:])\W*(?:(?:ok(?:ay)?|so|then|great|fine|good|yes|well)\W+){0,2}(?:i|we) (?:take|choose|pick) (?:it|the|this|that|option|number|1|one)\b|"
    r"\bhold (?:it|the room)\b|\bgo (?:ahead|with)\b|\bhow (?:do|"
    r"can) (?:i|we) book\b|^\W*book\W*$|"
    rf"(?<![א-ת])(?<!לא )(?<!אל )(?<!אם )(?:{_HE_ORDERS})(?![א-ת])|(?<![א-ת])(?:{_HE_ORDERS_WITH})(?![א-ת]){_HE_BESIDE}{_HE_STAY}|"
    rf"(?:^\W*|[.,;:!?\n]\W{{0,4}}|(?<![א-ת])(?<!לא )(?:{_HE_WISHES}) )(?:{_HE_TO_BOOK})(?![א-ת]){_HE_BESIDE}(?:{_HE_STAY}|\W*(?:$|[.,;:!?\n]))|"
    r"(?:לוקח(?:ת|ים|ות)?|[אנ]י?קח) (?:את|אות[והם])(?![א-ת])|(?<![א-ת])הזמינו(?! )|איך מזמינים",
    "cancel": r"\bcancel\w*\b[^.?!]{0,30}\b(?:booking|reservation|stay|room|order)\b|\bcancel (?:it|my|our|the|"
    r"that)\b|\b(?:i|we)(?:'d| would)? (?:want|need|like|have|wish) to cancel\W*$|"
    r"^\W*(?:(?:yes|yeah|ok(?:ay)?|no|sorry|please|then|so|just|go ahead(?: and)?)\W+){0,3}cancel(?: (?:it|that|this|please|then|now))*\W*$|"
    r"^\W*(?:(?:כן|אוקיי|אז|לא|סליחה|בבקשה)\W+){0,3}(?:לבטל|ת?בטל[יו]?|מבטל(?:ת|ים)?)(?: (?:אותה|אותו|את זה|בבקשה|עכשיו))*\W*$|"
    r"\bcancel(?: number| no\.?)?:? ?\|{6}|(?<![א-ת])(?:לבטל|ת?בטל[יו]?|מבטל(?:ת|ים)?)(?: את)?(?: מספר)?:? ?\|{6}|"  # a number, blanked
    r"\b(?:booking|reservation)\b[^.?!]{0,30}\bcancel|(?:לבטל|"
    r"תבטל|תבטלי|תבטלו|בטל|בטלו|ביטול)[^.?!]{0,20}(?:הזמנה|ההזמנה|הזמנת|שהות|חדר)|(?:לבטל|תבטלו?) את|"
    r"(?:רוצה|רוצים|צריך|צריכה|צריכים|מבקש\w*) לבטל\W*$",
    "modify": r"\b(?:change|modify|amend|update|move|extend|reschedule|refund|correct|fix)\b[^.?!]{0,30}\b(?:booking|reservation)\b|"
    r"\b(?:move|change|shift|postpone)\b[^.?!]{0,12}\b(?:to )?(?:another|other|different) dates?\b|"
    r"(?:לשנות|תשנו?|לעדכן|תעדכנו?|להזיז|להאריך|לתקן|לדחות|להקדים)[^.?!]{0,15}הזמנה|(?:להזיז|לשנות|לדחות)(?: את)? (?:ה?תאריך|ה?תאריכים)(?![א-ת])",
    "find": r"\b(?:i|we)(?:'ve| have| already have|'ve got| have got)? (?:already )?(?:an?|made an?|paid for an?) (?:existing )?(?:booking|reservation)\b|"
    r"\b(?:i|we) (?:already )?paid for (?:a )?non[\s-]?refundable|\b(?:i|we)(?:'ve| have)? (?:already )?booked (?:with|through|via|on|last|yesterday|already|a room)\b|\b(?:got|have|received?) no (?:e-?mail|confirmation)\b|"
    r"(?<![א-ת])(?:הזמנתי|הזמנו) (?:(?:חדר|דרך|אצלכם|כבר|בשם|על שם)(?![א-ת])|ל[א-ת])|לא מוצא(?:ת|ים)? (?:את )?[^.?!]{0,15}אישור ה?הזמנה|שילמ(?:תי|נו) על ה?הזמנה|(?<![א-ת])יש ל(?:י|נו) (?:כבר )?הזמנה|הזמנה (?:קיימת )?שלי|"
    r"\b(?:my|our) (?:existing |current |hotel )?(?:booking|reservation)\b|ההזמנה שלי|ההזמנה שלנו|הזמנה קיימת|ההזמנה על שם|"
    r"\b(?:did(?:n'?t| not)|have(?:n'?t| not)|never) (?:get|got|gotten|receive\w*)\b[^.?!]{0,15}\bconfirmation|לא (?:קיבלתי|קיבלנו|הגיע)[^.?!]{0,20}אישור",
    "rest": r"\b(?:show|see|list|give|what(?:'s| is| are)|and)\b[^.?!]{0,12}\b(?:rest|others|remaining|all of them|them all)\b|"
    r"\b(?:what|which) (?:are |about )?the (?:other|rest)\b|\b(?:show|list|see)\b[^.?!]{0,12}\b(?:all|more|\d more)\b|"
    r"^\W*(?:more|the rest)(?: please)?\W*$|(?:את )?(?:ה?שאר|כל ה(?:אפשרויות|הצעות))(?![א-ת])",
    "dear": r"\btoo (?:expensive|dear|much|prices?y?|costly)\b|\b(?:above|over|beyond|out of) (?:my|our) (?:budget|means)\b|"
    r"\bcan(?:'t|not) afford\b|\b(?:anything|something|any) cheaper\b|\b(?:too|very|bit|so|quite) (?:prices?y?|steep)\b|"
    r"יקר (?:מדי|לנו|לי|מאוד)|(?:משהו|יש) (?:יותר )?זול(?: יותר)?|לא בתקציב|מעל התקציב",
    "was_price": r"\b(?:was|were|did)\b[^.?!]{0,40}\b(?:price|cost|rate|charge)s?\b|\bhow much (?:was|were|did)\b|"
    r"(?:כמה|מה) (?:\S+ )?(?:היה|עלה|עלתה|עלו)(?![א-ת])",
    "booked": r"\b(?:(?:is|was|has) (?:it|that|this|(?:my|our|the) (?:room|booking|reservation|stay))|am i|are we|have i|have we) "
    r"(?:been |now |already |really )?(?:booked|reserved|confirmed|gone through)\b|\bdid (?:you|it|that) (?:book|reserve|go through)\b|"
    r"\bdo (?:i|we) have a (?:booking|reservation)\b\W*$|(?:זה|החדר|כבר) (?:הוזמן|הוזמנה|מוזמן|אושר)|הזמנת[םי]? (?:כבר|את זה|לי)|"
    r"^\W*(?:האם )?(?:ההזמנה אושרה|הוזמן)\W*$",
    "details": r"\b(?:see|show|send|repeat)\b[^.?!]{0,15}\bdetails\b|(?:לראות|תשלחו|לשלוח|להראות)[^.?!]{0,15}ה?פרטים",
    "another": r"\banother (?:one|room|booking|reservation)\b|\b(?:one|1) more (?:room|booking)?|\bsecond (?:room|booking)\b|"
    r"\bonce more\b|\bbook (?:it )?again\b|\b(?:book|reserve) (?:also|as well)\b|\balso (?:book|reserve)\b|"
    r"(?<![א-ת])(?:(?:ל|ת|נ)הזמין גם|תזמינ[יו] גם|גם (?:ל|ת|נ)הזמין)(?![א-ת])|עוד (?:אחד|אחת|1|חדר|הזמנה)|חדר נוסף|הזמנה נוספת",
    "privacy": r"\b(?:who(?:'s| is| are| was)?|which guests?|what guests?|names? of)\b[^.?!]{0,30}\b(?:staying|stays|"
    r"stayed|guests?|in room|booked)\b|\b(?:which|what) guests (?:are|were|do you have)\b|\broom number of\b|\b(?:phones?|e-?mails?|names?|numbers?|address|"
    r"cards?|details)\b[^.?!]{0,20}\bof (?:the |that |a )?(?:other )?(?:guests?|person|people|customers?|"
    r"man|woman|family|couple)\b|\bguests? in room\b|\bwhich room is (?:mr|mrs|ms|he|she|they|"
    r"the guest)\b|\b(?!hotel|tonight|today|tomorrow|what|that|it|there|let|who|where|how|"
    r"here)\w+'s (?:room number|phone|e-?mail|booking|reservation|details|card)\b|\bis (?!there|it|the|"
    r"this|that|a|an|anyone)\w+ (?:\w+ )?(?:staying|checked in|a guest)\b|\bis (?:mr|mrs|ms|dr)\b|"
    r"\b(?:guest|customer|client)s?(?:'s|')? (?:list|data|details|names?|phone|emails?|info\w*|records?|"
    r"cards?)\b|\blist (?:of )?(?:all )?(?:the )?(?:guests|bookings|reservations|customers)\b|\b(?:all|"
    r"every|other|another|someone(?:'s| else's)?|somebody(?:'s| else's)?) (?:guests?|person|people|"
    r"customer|bookings?|reservations?)(?:'s|')?\b[^.?!]{0,20}\b(?:names?|phones?|emails?|details?|data|"
    r"info\w*|numbers?|cards?|rooms? number)\b|\b(?:someone|somebody) else'?s (?:booking|reservation|"
    r"room)|\b(?:show|give|send|tell|read)\b[^.?!]{0,15}\b(?:booking|reservation|phone|email|credit card|"
    r"card number)s?(?: number)?\b[^.?!]{0,8}\b(?:of|for|belonging)\b|"
    r"מי (?:מתארח|נמצא בחדר|ישן|שוהה|גר בחדר|הזמין)|רשימת (?:ה)?(?:אורחים|הזמנות|לקוחות)|"
    r"פרטי? (?:ה)?(?:אורח|לקוח|הזמנה של)|(?:טלפון|מייל|אשראי|פרטים) של (?!המלון|הקבלה|בית|כם)|"
    r"מתארח(?:ת)? (?:אצלכם|במלון)|באיזה חדר (?:נמצא|מתארח|גר)|ההזמנה של [א-ת]+|כל ההזמנות|אורחים אחרים",
}
_INTENTS["hotel"] = (
    r"\b(?:hotel|property|building|lobby|staff|guests)\b|\b(?:do|does|did|will) (?:you|the|your)\b|"
    r"\byour (?!name|prompt)\w+|\bin the room\b|(?<![א-ת])[בהל]?מלון|אצלכם|לכם|במקום"
)
"""Words that show that a question is about this hotel, whatever it asks."""
_INTENTS["elsewhere"] = (
    r"\b(?:hotels?|rooms?|hostel|apartment|branch|stay|restaurants?|table|bars?|caf[eé]s?|museums?|tickets?|shows?|tours?|cars?)\b[^.?!]{0,25} in (?:tel aviv|paris|london|new york|rome|berlin|"
    r"dubai|athens|barcelona|amsterdam|"
    r"madrid|vienna|prague|eilat|haifa|jerusalem|tiberias|tokyo)\b|\b(?:hilton|marriott|airbnb|hyatt|"
    r"sheraton)\b|\b(?:another|other|different) hotels?\b|"
    r"מלון אחר|(?:מלון|חדר|שולחן|מסעד[הת]|סיור|כרטיסים|דירה|רכב)[^.?!]{0,25} ב(?:פריז|לונדון|ניו יורק|רומא|ברלין|דובאי|אתונה|חיפה|תל אביב|ירושלים|אילת|טבריה)"
)
_INTENTS["for_reception"] = (
    r"\b(?:journalist|influencer|blogger|sponsor(?:ship)?|thesis|internship|occupancy rates?|statistics|suppliers?)\b|\b(?:complimentary|for free) (?:[\w-]+ ){0,2}(?:stay|room|night)s?\b|\bfree stay\b|"
    r"\b(?:marketing|sales|human resources|hr) (?:manager|director|department|team)\b|\bjob (?:opening|offer|application)s?\b|\bapply for a job\b|"
    r"\b(?:to|for) (?:a guest of (?:yours|the hotel)|one of your guests)\b|\b(?:don'?t|do not) (?:need|want) a room\b|\blost (?:and found|property|item)\b|"
    r"\b(?:left|forgot|lost) (?:my|our|an?|his|her) [^.?!]{1,40} (?:in|at) (?:the|your) (?:hotel|room|lobby|parking|pool|restaurant|car park)\b|"
    r"\b(?:no ?body|no ?one)(?: is|'s)? (?:at|in) (?:the )?(?:reception|front desk|lobby)\b|"
    r"עיתונאי(?:ת)?|בלוגרית?|משפיענית?|שיתוף פעולה|מנהלת? (?:ה)?(?:שיווק|מכירות)|לידים|קורות חיים|דרושים|עבודת (?:גמר|תזה)|נתוני תפוסה|"
    r"(?:שכחתי|שכחנו|השארתי|השארנו|איבדתי|איבדנו)(?: [^ .?!]{1,20}){0,4} (?:אצלכם|במלון|בחדר|בחניון|בלובי|בבריכה|במסעדה)|(?:שכחתי|שכחנו|השארתי|השארנו|איבדתי|איבדנו) [^?]{1,80}מצאתם|מישהו מצא|אבידות|אין (?:אף אחד|איש) בקבלה"
)
"""What is no guest's wish for a stay or a fact: somebody of the hotel has to deal with it."""
_INTENTS["to_hold"] = (
    rf"(?:{HOLDING})[^.?!]{{0,20}}?(?:\b(?:until|till|for (?:me|us|now|a|\d))\b|(?<![א-ת])עד(?![א-ת]))|"
    r"(?:לשמור|תשמרו|שמרו|להחזיק|תחזיקו) (?:לי|לנו) עד(?![א-ת])"
)
_INTENTS["no_number"] = (
    r"\b(?:don'?t|do not|didn'?t|can'?t|lost|forgot(?:ten)?|mislaid|misplaced|without|no)\b[^.?!]{0,25}\b(?:number|reference|confirmation (?:number|code))\b|"
    r"מספר (?:ה)?הזמנה (?:אני )?לא (?:זוכרת?|יודעת?|מוצאת?)|(?:המספר|את המספר)[^.?!]{0,30}(?:מחקתי|איבדתי|נמחק)|"
    r"(?<![א-ת])(?:איבד(?:תי|נו)|שכח(?:תי|נו)|מחק(?:תי|נו)|אבד ל(?:י|נו)|נמחק ל(?:י|נו)|לא (?:זוכר(?:ת|ים)?|שמר(?:תי|נו)|רשמ(?:תי|נו))) (?:את )?"
    r"(?:ה?מספר (?:של )?ה?הזמנה|המספר(?! (?:של|ה))|קוד ה?הזמנה)|"
    r"אין (?:לי|לנו)(?: את)? (?:ה)?(?:מספר|קוד)|(?:בלי|לא מוצאת?) (?:את )?(?:ה)?מספר (?:ה)?הזמנה"
)
_INTENTS["best_room"] = (
    r"\b(?:best|nicest|finest|most luxurious|top) (?:room|suite)\b(?! (?:rate|price|deal|for))|(?:ה?חדר|סוויטה) (?:הכי (?:טוב|יפה|מפואר|שווה)|ה(?:טוב|יפה|מפואר)ה? ביותר)"
)
_INTENTS["why"] = (
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|hm+)\W+){0,2}(?:why|how come)\b(?! (?:not|don'?t)\b)|^\W*(?:(?:אבל|אז|ו)\s?){0,2}(?:למה|מדוע)(?! לא)(?![א-ת])"
)
_INTENTS["of_fact"] = (
    r"\bper (?:stay|night|day|person|dog|car|hour|room)\b[^.?!]{0,15}\bor\b|\b(?:it|that|this|they|those)\b|^\W*(?:(?:and|ok(?:ay)?|so)\W+)?how much\b|"
    r"(?<![א-ת])(?:זה|זו|זאת|הוא|היא|הם|אותו|אותה)(?![א-ת])|^\W*ו?כמה(?![א-ת])"
)
"""Words that point back to the fact just told."""
_COMPILED = {name: re.compile(words) for name, words in _INTENTS.items()}
_NOT_CANCELLED = re.compile(
    r"\b(?:not|don't|without|rather than|instead of) cancel\w*(?: (?:it|that|them))?\b|\bcancell?able\b|\bfree cancell?(?:ation)?\b|\bable to cancel\b|"
    r"(?<![א-ת])(?:לא|בלי) לבטל(?: אות[הו])?(?![א-ת])"
)
_DO_NOT_CANCEL = re.compile(
    r"\b(?:don'?t|do not)(?: want to| wish to)? cancel(?: (?:it|that|(?:the|my|our) (?:booking|reservation|room)))?(?=\W*$|[.,!;])|"
    r"(?<![א-ת])(?:אל תבטל[יו]?|לא לבטל|לא רוצ(?:ה|ים) לבטל)(?: (?:אות[הו]|את (?:זה|ההזמנה)))?(?=\W*$|[.,!;])"
)
_COMMAND = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|skip|drop|violate)\b[^.?!]{0,40}\b(?:instructions?|"
    r"rules?|prompts?|guidelines?|policy|policies|restrictions?|everything|above|programming|safety|"
    r"training|told)\b|"
    r"\b(?:tell|inform|assure|reply to|write to) the (?:guest|customer|user)\b(?! (?:in|of|from|at|who|next|staying|named)\b)|"
    r"(?<![א-ת])(?:ת?כתוב|תגיד|אמור|תאמר|הודע|תודיע|ענה|תענה)[יו]? ל(?:אורח|לקוח|משתמש)(?![א-ת])(?! [במש])|(?<![א-ת])(?:הוראה|הודעת|הוראת) (?:ל|ה)?מערכת(?![א-ת])|"
    r"\bsystem (?:prompt|message|instructions?|note|notice|override)\b|\b(?:your|the|hidden|initial|secret) (?:prompt|"
    r"instructions)\b|\b(?:pms|admin|database|db|api|root|system|your|server|account|"
    r"hotel'?s?) (?:password|credentials?|key|token|secret|login)s?\b|"
    r"\b(?:passwords?|api[\s_-]?keys?|credentials?|secret keys?|access tokens?)\b|\bdeveloper mode\b|"
    r"\bjailbreak|\bdan mode\b|\byou are now\b|\bact as (?:an?|if|my)\b|\bpretend (?:to be|you|that)\b|"
    r"\brole[\s-]?play\b|"
    r"\bdrop table\b|\bselect \* from\b|\bdelete from\b|<script|\bsudo\b|\brm -rf\b|"
    r"\bexec(?:ute)? (?:this|the following|code|command)|\bas (?:an? )?(?:admin|administrator|root|"
    r"developer)\b|\bi(?:'m| am) (?:the |your |an? )?(?:admin|administrator|developer|owner|system)\b|"
    r"\bi (?:order|command) you\b|\bas (?:the |an? |your )?(?:hotel )?(?:manager|owner|boss|ceo)\b|"
    r"\b(?:repeat|print|show|reveal|output|display)\b[^.?!]{0,20}\b(?:above|prompts?|instructions|"
    r"config\w*|secrets?|source)\b|\b(?:set|change|make|lower|reduce) (?:the |your |all |every )*(?:price|"
    r"rate|total|cost)s? (?:to|of)\b|\bfor (?:1|one|0|zero) (?:shekel|nis|ils|dollar|usd|euro?|pound|yen|dinar)s?\b|\b(?:give|apply|"
    r"grant)\b[^.?!]{0,20}\b\d{1,3} ?% (?:off|discount)|\b(?:mark|set|make) (?:it|all rooms|every room|"
    r"the hotel) (?:as )?(?:free|sold out|available|full)\b|\bwithout (?:paying|payment|charge)\b|"
    r"(?:התעלם|תתעלם|התעלמו|תתעלמו|תשכח|שכח|שכחו|להתעלם)[^.?!]{0,25}(?:הוראות|הנחיות|כללים|הכל|מה ש|"
    r"חוקים)|הוראות (?:ה)?מערכת|פרומפט|סיסמ(?:ה|אות|ת)|מפתח (?:ה)?(?:api|גישה)|הרשאות מנהל|אתה עכשיו|"
    r"תעמיד פנים"
)
_WIFI_PASSWORD = re.compile(
    r"(?:wi[\s-]?fi|internet)[^.?!]{0,12}password|password[^.?!]{0,15}(?:wi[\s-]?fi|internet)|"
    r"סיסמ[^.?!]{0,12}(?:ל?וויי?[\s-]?פיי?|אינטרנט|ל?ויי?פיי)"
)
_OFF_TOPIC = re.compile(
    r"\bweather\b|\bforecast\b|\bpoems?\b|\bpoetry\b|\bjokes?\b|\bsongs?\b|\blyrics\b|\bstor(?:y|"
    r"ies) about\b|\bpresident\b|\bprime minister\b|\belections?\b|\bpolitic\w*|\bvote\b|\bstocks?\b|"
    r"\bbitcoin\b|\bcrypto|\bexchange rates?\b|\brecipes?\b|\btranslate\b|"
    r"\bhomework\b|\bessay\b|\bpython\b|\bjavascript\b|\bcode\b(?! for)|\bcapital (?:of|city)\b|"
    r"\bfootball\b|\bsoccer\b|\bbasketball\b|\bworld cup\b|\bscore\b|\bflights? (?:to|from)\b|\bplane tickets?\b|"
    r"\b(?:apply|help)\w*\b[^.?!]{0,20}\bvisas?\b|\bvisas? (?:applica\w+|office|interview|support|for|to)\b|(?:ויזה|אשרת כניסה) ל|(?:להוציא|לקבל|לחדש|להנפיק) (?:ויזה|דרכון)|\bairline|\bmeaning of life\b|\bare you (?:an? )?(?:human|ai|robot|bot|real)\b|\blottery\b|"
    r"\bhoroscope\b|\bmovies?\b|\bnews\b|\bmath\b|\bsolve\b|\bwho won\b|\bmars\b|\bmoon\b|\bpizza\b|"
    r"\bdoctor\b|\bmedical\b|\blawyer\b|\blegal advice\b|\bdate me\b|\bmarry\b|\blove you\b|"
    r"\bsquare root\b|\bwhat(?:'?s| is) \d+ ?[-+*x/] ?\d+|\b\d+ ?[x*/] ?\d+ ?=|\bhow old (?:are you|"
    r"is the)|"
    r"מזג (?:ה)?אוויר|תחזית|שיר(?:ים)?(?![א-ת])|בדיחה|בדיחות|סיפור על|ראש הממשלה|בחירות|פוליטיק|מניות|"
    r"ביטקוין|שער ה?(?:דולר|יורו|אירו|חליפין|מטבע)(?![א-ת])|מתכון|תרגם|תתרגם|לתרגם|שיעורי בית|בירת|כדורגל|כדורסל|טיסות|טיסה ל[א-ת]|כרטיסי טיסה|"
    r"סרט(?:ים)?(?![א-ת])|חדשות|הורוסקופ|לוטו|מי ניצח|פיצה|רופא|עורך דין|משמעות החיים|מאדים|ירח(?! ה?דבש)"
)
_SENTENCES = re.compile(r"(?<=[.?!;\n])\s+|(?<!\s)\s+(?=(?:also|and also|but first|then tell|וגם|ובנוסף|בנוסף)\b)")


_IF_BOOKED = re.compile(
    r"\b(?:book|reserve|take|hold) (?:it |that |us |me |them )?(?:only )?if\b|(?<![א-ת])(?:תזמינ?[יו]?|תסגר[יו]|תסגור|נזמין|אזמין|ניקח) (?:את זה |לי |לנו )?(?:רק )?אם(?![א-ת])"
)
"""A booking on a condition, which the hotel does not judge: no word to book."""


def read_intents(text: str) -> frozenset[str]:
    """Names of all intents the folded text shows."""
    text = _IF_BOOKED.sub(" ", _NOT_CANCELLED.sub(" ", _DO_NOT_CANCEL.sub("keep it", text)))
    found = {name for name, words in _COMPILED.items() if words.search(text)}
    if _OFF_TOPIC.search(text):
        found.add("off_topic")
    if any(map(_tells_of_trouble, _PARTS.split(text))):
        found.add("complaint")
    return frozenset(found)


_PARTS = re.compile(r"(?<=[.?!;\n])")
_TROUBLE = re.compile(
    r"\b(?:nois[ye]\w*|loud|dirty|filthy|broken|smell(?:s|ed|y|ing)?|st[iau]nks?|leak\w*|mou?ldy?|stain(?:ed|s)?|cockroach\w*|bugs|ants|insects?|stole\w*|theft|robbed|blocked|clogged|flood\w*|double[ -]charged|charged twice|(?:no ?body|no ?one) (?:answer|came|come|help|show)\w*|rude|awful|terrible|horrible|"
    r"disappoint\w*|disgust\w*|unhappy|upset|ignored|overcharged|charged (?:me|us|twice)|cold water|no hot water|ripped off)\b|"
    r"\b(?:does|do|did|is|was|are|were)(?:n'?t| not) (?:work\w*|clean\w*|made up)\b|\bstopped working\b|\b(?:can'?t|cannot|couldn'?t) sleep\b|"
    r"(?<![א-ת])[והש]{0,2}(?:רעש|רועש|רועשת|הרעיש|מרעיש|מלוכלך|מלוכלכת|לכלוך|מסריח|מסריחה|סירחון|ריח רע|שבור|שבורה|מקולקל|מקולקלת|התקלקל|התקלקלה|דולף|נזילה|עובש|ג'?וק(?:ים)?|מקק(?:ים)?|חרקים|נמלים|סתומה?|גנבו|נגנבה?|על הפנים|אף אחד לא|"
    r"גס|גסה|נורא|נוראי|נוראית|מזעזע|איום|התאכזבנו|התאכזבתי|אכזבה|מאכזב|חייבו אות(?:י|נו))(?![א-ת])|(?<![א-ת])אין (?:לנו )?(?:מים חמים|חשמל|חימום)(?![א-ת])|(?<![א-ת])לא (?:עובדת?|עבדה?|ניקו|נקי|נקייה|הצלחנו לישון|הצלחתי לישון|חזר(?:ו)? אלי)"
)
_OWN_STAY = re.compile(
    r"\b(?:our|my|the|this|your|i|we|it|they|was|were|there(?:'s| is| are)|nobody|staff)\b|(?<![א-ת])[שוב]{0,2}(?:החדר|בחדר|המזגן|במזגן|המקלחת|המים|השירות|הצוות|היינו|הייתי|היה|היתה|הייתה|שלנו|שלי|אנחנו|אני|אצלכם|יש|זה|אף אחד|ו?ה[א-ת]+|לי|לנו)"
)
_NO_TROUBLE = re.compile(
    r"\?|\b(?:no|not|without|isn't|if|hope|avoid|away|far|nothing)\b[^.?!]{0,25}$|\b(?:our|my) (?:kids?|children|boys|girls|baby|dog|husband|wife|son|daughter)\b[^.?!]{0,20}$|(?<![א-ת])ה(?:ילדים|תינוק|כלב)(?: שלנו| שלי)[^.?!]{0,20}$|\b(?:if|would|looking|prefer|please|want|need|hope)\b|(?<![א-ת])(?:אם|בלי|ללא|רחוק|מחפש\S*|רוצה|רוצים|מבקש\S*|צריך|צריכים)(?![א-ת])"
)


def _tells_of_trouble(sentence: str) -> bool:
    """`The room was dirty`: told, not asked, and nothing that is wished to be avoided."""
    found = _TROUBLE.search(sentence)
    return bool(
        found
        and _OWN_STAY.search(sentence)
        and not _NO_TROUBLE.search(sentence[: found.start()])
        and not sentence.rstrip().endswith("?")
    )


def is_command(text: str) -> bool:
    """Whether the text gives orders to the system instead of asking the hotel."""
    return bool(_COMMAND.search(_WIFI_PASSWORD.sub(" wifi ", text)))


def without_commands(text: str) -> tuple[str, bool]:
    """The sentences of `text` that are not orders to the system, and whether there were such orders."""
    if not is_command(fold_quietly(text)):
        return text, False
    kept = [part for part in _SENTENCES.split(text) if part and not is_command(fold_quietly(part))]
    return " ".join(kept), True


def fold_quietly(text: str) -> str:
    return text.lower().replace("’", "'")
