"""Reads which facts about the property a guest asks for, by topic; unknown things become topics of their own."""

import re
from collections.abc import Sequence

from wavegraph.tools.hotel.inventory.property_data import RoomKind, Topic
from wavegraph.tools.hotel.inventory.topics import content_words, nearest, normalise, topic_names
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.verdict import read_verdict
from wavegraph.tools.hotel.records import RoomType

_MINORS = r"(?:bab(?:y|ies)|infants?|toddlers?|kids?|child(?:ren)?|little (?:ones?|1))"
_MINORS_HE = r"ה?(?:תינוק(?:ת|ות)?|ילד(?:ים|ה|ות)?|פעוטה?)(?![א-ת])"
TOPICS: dict[str, str] = {
    "parking": r"\bpark(?:ing)?\b(?! hotel)|\bcar ?park\b|\bgarage\b|\bvalet\b|\b(?:leave|put) (?:my|the|our) car\b|"
    r"חני(?:י)?ה|חניון|לחנות|להחנות",
    "electric car charging": r"\bev\b|\belectric (?:car|vehicle)|\bcar charg|\btesla\b|charging station|עמד(?:ת|ות) טעינה|"
    r"רכב חשמלי|טעינה לרכב|לטעון (?:את )?ה?(?:רכב|מכונית)",
    "wifi": r"\bwi[\s-]?ff?i\b|\binternet\b|\bwireless\b|וואי[\s-]?פיי|ווי[\s-]?פי|וויפי|ואי[\s-]?פיי|וייפי|"
    r"ויי פיי|אינטרנט",
    "breakfast": r"\bbreakfasts?\b|ארוח(?:ת|ות) ?ה?בוקר",
    "restaurant": r"\brestaurants?\b|\bdinner\b|\blunch\b|\bmenu\b|\bfood\b|\bvegan\b|\bvegetarian\b|\bgluten\b|\beat\b|לאכול|\bco?eliacs?\b|צליאק|"
    r"\btable (?:for|at|on|tonight|today|tomorrow)\b|\b(?:book|reserve|get) a table\b|שולחן ל|מסעד|"
    r"ארוח(?:ת|ות) ?ה?ערב|ארוח(?:ת|ות) ?ה?צהריים|תפריט|(?<!יסא )(?<!כסא )אוכל|טבעוני|צמחוני|גלוטן",
    "room service": r"\broom[\s-]service\b|שירות (?:ל)?חדרים|שירות חדרים",
    "bar": r"\bbar\b(?! ?mit[sz])|\bcocktails?\b|(?<![א-ת])ה?בר(?![א-ת]| ?מצוו)|קוקטייל",
    "pets": r"\bpets?\b|\bdogs?\b|\bcats?\b|\bpupp(?:y|ies)\b|\b(?:labradors?|beagles?|poodles?|retrievers?|terriers?|chihuahuas?|bulldogs?|pinschers?|dachshunds?|shepherds?|husk(?:y|ies)|pugs?|maltese|corgis?)\b|\banimals?\b|כלב|חתול|(?<!א)חיות|חיית|(?<![א-ת])ה?(?:לברדור|פודל|האסקי|צ'יוואווה|בולדוג|פינצ'ר|טרייר|ביגל|מלטז|דלמטי)(?![א-ת])|"
    r"\b(?:he|she|it)(?:'s| is| weighs)(?: \w+)? \d+ ?(?:kg|kilos?)\b|(?:הוא|היא) (?:שוקלת? )?\d+ (?:קילו|ק\"ג)",
    "pool": r"\bpools?\b(?! bar\b)|\bswim(?:ming)?\b|בריכ|לשחות",
    "lifeguard": r"\blifeguards?\b|(?<![א-ת])ה?מציל(?:ים|ה)?(?![א-ת])",
    "spa": r"\bspa\b|\bmassages?\b|\bsauna\b|\bjacuzzi\b|\bwhirlpool\b|\bhot tub\b|\bhammam\b|"
    r"(?<![א-ת])[והבלש]{0,2}ספא(?![א-ת])|מסאז|עיסוי|סאונה|ג'?קוזי|חמאם",
    "gym": r"\bgym\b|\bfitness\b|\bwork ?out\b|\btreadmill\b|חדר כושר|(?<![א-ת])[והבלש]{0,2}כושר(?![א-ת])|מכון כושר",
    "kosher": r"\bkosher\b|\bc?hametz\b|\b(?:meaty?|dairy)\b|חמץ|\bkashrut\b|\bmehadrin\b|כשר|כשרות|מהדרין|בשרי|חלבי",
    "shabbat": r"\bshabb(?:at|os|es)\b|\bsabbath\b|(?<!our )(?<!my )\bsynagogue\b|\bshul\b|\bminyan\b|שומר(?:י)? שבת|מעלית שבת|"
    r"מפתח שבת|בשבת|בית כנסת|מניין|עירוב",
    "accessibility": r"מוגבל(?:ות|ויות|י)|\bdisabilities\b|\baccessib(?:le|ility)\b|\bwheelchairs?\b|\bdisab(?:led|ility)\b|\bhandicap|"
    r"נגיש|כיסא גלגלים|כסא גלגלים|נכים",
    "lift": r"(?<!shabbat )(?<!sabbath )(?<!shabbos )(?<!shabbes )\b(?:elevators?|lifts?)\b|(?<![א-ת])ה?מעלית(?! שבת)|מעליות",
    "cribs": r"מטה ל(?:ה)?תינוק|כ(?:י)?סא אוכל|\bcribs?\b|\bcots?\b|\bbaby (?:bed|cot|crib)|\bhigh ?chair|עריס|מיטת תינוק|מיט(?:ה|ות) ל(?:ה)?תינוקו?ת?|(?<![א-ת])[ולה]?לול(?:ים)?(?![א-ת])|כיסא תינוק",
    "vat": r"\bvat\b|\btax(?:es)?\b(?! (?:file|return|office|authorit|report|declaration))|\btourist(?:s)? (?:pay|price|rate)|מע\"מ|מעמ|(?<![א-ת])ל?מס(?:ים)?(?![א-ת])|תיירים",
    "cancellation": r"\b(?:cheaper|discount|less|better|lower|reduc\w+)\b[^.?!]{0,30}\bpay(?:ing)? (?:it )?(?:all )?(?:now|today|early|right away|ahead|at once|online)\b|\bpay(?:ing)? (?:it )?(?:all )?(?:now|today|early|right away|ahead|at once|online)\b[^.?!]{0,30}\b(?:cheaper|discount|less|better|lower)\b|"
    r"(?:זול|הנחה|פחות|מוזל)[^.?!]{0,25}[מלנא]?של(?:ם|מים) (?:הכל )?(?:עכשיו|מיד|מייד|מראש)|[מלנא]?של(?:ם|מים) (?:הכל )?(?:עכשיו|מיד|מייד|מראש)[^.?!]{0,25}(?:זול|הנחה|פחות|מוזל)|\bcancell?ation\b|\bforfeit|\b(?:pull|back|call it|drop) (?:out|off)\b|\b(?:don'?t|not) (?:show|turn) up\b|נבריז|אבריז|לא (?:נופיע|אופיע|נבוא|אבוא)(?![א-ת])|\b(?:if|far|late|advance|notice|lose)\b[^.?!]{0,40}\bcancel|\bshow(?:ing)? up\b|\b(?:pay(?:ing)?|paid) (?:up ?front|in advance)\b|\bprepa(?:y|id)\w*|"
    r"(?:לבטל|לבטלה|מבטלים) (?:בלי|ללא) (?:לשלם|תשלום|עלות|קנס)|(?:אם|נפסיד|אפסיד|מפסידים)[^.?!]{0,30}(?:לבטל|נבטל|אבטל|מבטל)|לא (?:נגיע|אגיע|מגיעים)(?![א-ת])|תשלום מראש|לשלם מראש|"
    r"\bwhen\b[^.?!]{0,30}\bcancel|(?:מתי|עד כמה זמן)[^.?!]{0,25}(?:לבטל|מבטלים)|\b(?:what|which) (?:are|is) (?:the|your) (?:terms|conditions)\b|\bterms and conditions\b|מה (?:ה)?תנאים|\bcancell? (?:for free|free|without|policy|fee|up to|until)|\b(?:can|could|"
    r"may) (?:i|we) cancel\b|\bhow (?:do|can) (?:i|we) cancel\b|\bif (?:i|we) (?:need to |have to |"
    r"want to )?cancel\b|\brefund(?:s|ed)?\b(?!able)|\bmoney back\b|\bno[\s-]?show\b|מדיניות ה?ביטול|תנאי ה?ביטול|"
    r"דמי ביטול|אם (?:אני |אנחנו )?(?:מבטל|נבטל|אבטל)\S*|(?:אפשר|ניתן|יכול(?:ים|ה)?|איך) (?:\S+ )?(?:ל)?(?:בטל|מבטל(?:ת|ים|ות)?|ביטול)(?![א-ת])|החזר כספי|ביטול חינם",
    "payment": r"\bsettle\b[^.?!]{0,15}\bbill\b|\bpay(?:ing|ment|ments)?\b(?! (?:vat|for|extra|more)\b)|\bcredit cards?\b|\binstall?ments?\b|\bamex\b|\bamerican express\b|(?<!for a )(?<!for my )(?<!for the )(?<!my )\bvisa\b(?! (?:applica|letter|office|interview|paper|form|document|for|to|support))|"
    r"\bmastercard\b|\bcash\b|\bpaypal\b|\bdeposit\b|\bbuy ?me\b|(?<!ללא )(?<!ב)(?<!תוספת )תשלום|(?<!בלי )לשלם(?! (?:על|עבור|תוספת))|"
    r"משלמים|כרטיס אשראי|אשראי|מזומן|פיקדון|פקדון|תשלומים",
    "invoice": r"\binvoices?\b|\breceipts?\b|חשבונית|חשבוניות|(?<![א-ת])קבלה (?:על שם|עבור|לעסק|לחברה|מקורית)",
    "confirmation letter": r"\b(?:confirmation|invitation|visa) letters?\b|\bletters? (?:for|of|to)\b|מכתב (?:אישור|הזמנה)|אישור שהייה",
    "surroundings": r"\brestaurants? (?:nearby|near|around|in the (?:area|neighbou?rhood)|close by)\b|\b(?:nearby|local) (?:restaurants?|shops?|attractions?)\b|"
    r"\b(?:things|what(?:'s| is)? there) to (?:do|see)\b|\b(?:supermarkets?|attractions)\b|מסעדות? (?:בסביבה|באזור|קרובה?|קרובות)|מה יש לעשות|אטרקציות|סופרמרקט",
    "entertainment": r"\bbingo\b|\bkaraoke\b|\bentertainment\b|\blive music\b|\b(?:an?|any|the) (?:[\w']+ ){0,2}?party\b(?! of| size| is)|בינגו|קריוקי|הופעות|(?<![א-ת])מסיבה(?![א-ת])",
    "sukkah": r"\bsukkah\b|\bsuccah\b|(?<![א-ת])[הב]?סוכה(?![א-ת])",
    "minimum stay": r"\bminimum (?:stay|(?:number of )?nights?)\b|\bmin(?:imum)? nights?\b|\bnights? minimum\b|מינימום (?:לילות|שהייה|שהיה)",
    "transport": r"\bairports?\b|\bshuttles?\b|\btransfers?\b|\btaxis?\b|\bbus(?:es)?\b|\btrains?\b|\bpublic transport|"
    r"\bhow (?:do|can) (?:i|we) get\b|\bget (?:there|to you|to the hotel)|\bdirections?\b|שדה ה?תעופה|"
    r"נתב\"ג|הסע|מונית|מוניות|אוטובוס|רכבת|תחבורה|איך מגיעים|הגעה למלון|דרכי הגעה",
    "beach": r"\bbeach(?:es)?\b|\bshore\b|\bsea ?side\b|\b(?:far|close|near|distance|"
    r"walk)\b[^.?!]{0,20}\bsea\b(?![\s-]?view)|חוף|(?:רחוק|קרוב|מרחק|קרובים|הליכה|ברגל)[^.?!]{0,15}(?:מה|ל)ים|(?<![א-ת])ה?ים (?:רחוק|קרוב)",
    "smoking": r"\bsmok(?:e|ing|ers?|ed)\b|\bvap(?:e|ing)\b|\bcigarettes?\b|עישון|מעשנ|לעשן|סיגרי",
    "early check in": r"(?:להיכנס|לקבל (?:את )?ה?חדר|\bcheck(?:ing)? in|\bget (?:in|the room|our room)) (?:ב-?|at |by )(?:0?[6-9]|1[0-4])(?::00)?(?: ?am)?(?![\d./:-]| ?ב?(?:ינו|פבר|מרץ|אפר|מאי|יוני|יולי|אוג|ספט|אוק|נוב|דצמ))|\bearly (?:check[\s-]?in|arrival)\b|\b(?:check|get) in (?:(?:a (?:bit|little)|an? hour|much) )?earl(?:y|ier)\b|\barrive early\b|כניסה מוקדמת|הגעה מוקדמת|"
    r"להיכנס מוקדם|צ'?ק[\s-]?אין מוקדם",
    "late check out": r"\bcheck(?:ing)?[\s-]?out (?:at|by|around) (?:1[2-9]|noon|[1-8](?::\d\d)? ?pm)\b|\b(?:keep|stay in|use|have) (?:the|our|my) (?:room|suite)s? (?:longer|(?:until|till) (?:the (?:evening|afternoon)|late\w*|noon|\d))\b|\b(?:delay|postpone)\b[^.?!]{0,12}\bcheck[\s-]?out\b|(?:לאחר|לדחות)(?: את)? ה?(?:צ'?ק[\s-]?אאוט|עזיבה|יציאה)|להישאר (?:בחדר עד|עד (?:צאת|אחרי|אחר הצהריים|ה?ערב|מאוחר))|\blate (?:check[\s-]?out|departure)\b|\bcheck out later?\b|\b(?:extend|later) (?:my |our |the )?check[\s-]?out\b|\bleave late\b|עזיבה מאוחרת|יציאה מאוחרת|"
    r"צ'?ק[\s-]?אאוט מאוחר",
    "check_out": r"\bcheck(?:ing)?[\s-]?out (?:time|hour)|\bwhen (?:is|do|must|should)[^.?!]{0,120}check(?:ing)?[\s-]?out\b|"
    r"\bwhen\b[^.?!]{0,30}\b(?:leave|vacate|be out of) (?:the|our|my) (?:room|suite)\b|"
    r"\b(?:what time|which time|until when|by when|what hour)[^.?!]{0,120}(?:check(?:ing)?[\s-]?out|leave|"
    r"vacate)\b|\bcheck(?:ing)?[\s-]?out\s*\?|צ'?ק[\s-]?אאוט|שעת (?:ה)?(?:עזיבה|יציאה)|"
    r"מתי (?:צריך |צריכים |חייבים |אפשר )?(?:לעזוב|לפנות|לצאת|יוצאים|עוזבים)|באיזו שעה[^.?!]{0,120}(?:לעזוב|לפנות|יוצאים|עזיבה)",
    "check_in": r"\bpassports?\b|\bidentity card|\bid cards?\b|דרכון|תעודת זהות|\bcheck[\s-]?in (?:at|after|before|around|by|late)\b|\bcheck(?:ing)?[\s-]?in (?:time|hour)|"
    r"\blate check(?:ing)?[\s-]?in\b|\blate arrival\b|\b(?:latest|earliest)\b[^.?!]{0,30}\b(?:arrive|check in|come|get there)\b|\b(?:arriv\w+|come|coming|get there) (?:so |very |really )?(?:late|at night|after midnight)\b(?! (?:in|january|february|march|april|may|june|july|august|september|october|november|december))|\b(?:arriv\w+|come|coming|get there|land\w*|check(?:ing)? in) (?:only )?(?:at |around |about |by |after )(?:12|0?[1-4])(?:[:.]\d\d)? ?a\.?m\b|\bnight arrivals?\b|(?:להגיע|נגיע|מגיעים|אגיע|הגעה) (?:רק )?(?:מאוחר|בלילה|אחרי חצות|ב-?(?:שעה )?(?:12|0?[1-4])(?::\d\d)? (?:בלילה|לפנות בוקר))|עד איזו שעה[^.?!]{0,20}להגיע|"
    r"\bwhen (?:is|can|do|"
    r"does)[^.?!]{0,120}check(?:ing)?[\s-]?in\b|\b(?:what time|which time|from when|how early|how late|"
    r"what hour)[^.?!]{0,120}(?:check(?:ing)?[\s-]?in|arrive|get (?:in|(?:in|into|to) (?:the|our|my) (?:room|suite)|the room))\b|"
    r"\b(?:until|till) when\b[^.?!]{0,30}\barrive\b|(?:שעה (?:ה)?(?:אחרונה|מאוחרת)|עד מתי)[^.?!]{0,30}(?:להגיע|להיכנס)|"
    r"\bcheck(?:ing)?[\s-]?in\s*\?|\bcheck[\s-]?in and (?:check[\s-]?)?out times?|\bcheck[\s-]?in/out\b|"
    r"\bcheck[\s-]?in(?: and |/| & )check[\s-]?out\b|צ'?ק[\s-]?אין|שעת (?:ה)?(?:כניסה|קבלה|הגעה)|"
    r"מתי (?:אפשר )?(?:להיכנס|נכנסים|להגיע|מקבלים)|[במ]איזו שעה[^.?!]{0,120}(?:להיכנס|נכנסים|מקבלים|להגיע|כניסה)|"
    r"הגעה מאוחרת|קבלת (?:ה)?חדר",
    "reception": r"(?<![א-ת])[בלמ]קבלה(?![א-ת])|\breception\b|\bfront desk\b|\bconcierge\b|\b24[\s/-]?(?:7|hours?|h)\b|קבלה בשעה|דלפק|קונסיירז",
    "contact": r"\bcontact\b|\bphone\b|\btelephone\b|\bcall you\b|\bemail\b|\be-mail\b|\bwhatsapp\b|\bspeak (?:to|"
    r"with)\b|\btalk (?:to|with)\b|\bhuman\b|\brepresentative\b|\bmanager\b|טלפון|אימייל|מייל|דוא\"ל|"
    r"ווטסאפ|וואטסאפ|ליצור קשר|יצירת קשר|נציג|לדבר עם|להתקשר|מנהל",
    "address": r"\bhow (?:far|close|near) (?:are you|is (?:it|the hotel))\b(?! (?:to|from) the (?:beach|sea))|\baddress\b|\blocat(?:ed|ion)\b|\bwhere (?:are you|is the hotel|exactly|is it)\b|\bwhich (?:city|"
    r"street)\b|כתובת|מיקום|איפה (?:אתם|המלון|נמצא|ממוקם)|היכן (?:אתם|המלון|נמצא)|ממוקם",
    "luggage": r"\b(?:store|keep|leave|storage|room|for)\b[^.?!]{0,20}\b(?:luggage|baggage|bags?|suitcases?)\b|\b(?:luggage|baggage) (?:storage|room)\b|\bleave (?:(?:my|our|the|some) )?(?:bags?|suitcases?)\b|\bstor(?:e|"
    r"age)\b|(?:להשאיר|לשמור|לאחסן|שמירת|אחסון) [^.?!]{0,12}(?:מזווד|תיק(?:ים)?(?![א-ת]))|שמירת חפצים|חפצים",
    "laundry": r"\blaundry\b|\bdry clean|\bwashing machine\b|כביסה|מכבסה|מכונת כביסה",
    "iron": r"\biron(?:ing|ed)?\b|גיהוץ|מגהץ|לגהץ",
    "air conditioning": r"\bair[\s-]?con(?:ditioning|ditioner)?\b|\ba/c\b|\bheating\b|מיזוג|מזגן|חימום",
    "safe": r"\b(?:a|the|in-room) safe\b(?! (?:for|to|area))|\bsafe box\b|(?<![א-ת])כספת",
    "towels": r"\btowels?\b|\blinens?\b|מגב(?:ת|ות)|מצעים",
    "kids": rf"\b(?:reduced|child|kids?) (?:fare|rate|price)\b|\bcounts? as (?:an? )?(?:adult|child|kid)|\bconsidered (?:an? )?(?:adult|child)|(?:נחשבת?|נחשבים) (?:כ?ילדה?|כ?מבוגרת?|כ?ילדים|כ?מבוגרים)|\b(?:age|ages) (?:limits?|of|for|up)?\b[^.?!]{{0,20}}\b{_MINORS}\b|\b{_MINORS}'?s? (?:rates?|discounts?|pool|club|policy|price|free)\b|"
    rf"\b(?:what|which|until what|up to what) age\b|\bhow much (?:is|for|does|do) (?:an? |the |my |our )?{_MINORS}\b|\bactivit\w+\b[^.?!]{{0,25}}\bfor (?:the |our |my )?{_MINORS}\b|\bfor (?:the |our |my )?{_MINORS} to do\b|\bplayground\b|"
    r"\b(?:is|are|does|do) (?:he|she|they)\b[^.?!]{0,25}\b(?:free|charged|(?:adult|child|full)(?:'s|ren's)? (?:price|rate))|"
    rf"\b{_MINORS}\b[^.?!,]{{0,25}}\b(?:pays?|paying|charged|stays? free|for free)\b|\b(?:pay|charged?|extra)\b[^.?!,]{{0,12}}\bfor\b[^.?!,]{{0,15}}\b{_MINORS}\b|"
    rf"(?:עד |מ)?(?:איזה|אי?זה|מאיזה) גיל|כמה (?:עולה|עולים|משלם|משלמים) (?:על |ל)?{_MINORS_HE}|{_MINORS_HE}[^.?!]{{0,30}}(?:משל(?:ם|מים|מת)|לשלם|בתשלום|חינם)|"
    rf"(?:לשלם|תשלום|משלמים) על ?(?:יו|יה|יהם|{_MINORS_HE})|(?:בריכת|מועדון|פעילו(?:ת|יות)) ל?ה?ילדים|גן שעשועים",
    "babysitting": r"\bbaby ?-?sit\w*|\bnann(?:y|ies)\b|בייביסיטר|בייבי[ -]סיטר|שמרטפ",
    "events": r"(?<!after our )(?<!after the )\bwedding\b(?! anniversary| night)|\bconference\b|\bmeeting rooms?\b|\bhalls?\b|\bevent (?:space|room)\b|\bbanquet\b|(?<!אחרי ה)(?<!לאחר ה)חתונה(?! של)|אולם|"
    r"(?<![א-ת])ה?כנסים|חדר ישיבות|חדרי ישיבות",
    "balcony": r"\bballcon(?:y|ies)\b|\bbalcon(?:y|ies)\b|\bterraces?\b|מרפסת|מרפסות",
    "discounts": r"\b(?:returning|repeat|regular) (?:guests?|customers?|visitors?)\b|(?:לקוחות|אורחים) חוזרים|לקוח חוזר|\bdiscounts?\b|\bpromo(?:tion)?s?\b|\bcoupons?\b|(?<!better )(?<!best )\bdeals?\b|\b(?:something|anything|money) off\b|\bloyalty\b|\bmember(?:ship)? (?:price|"
    r"rate|club)|הנחה|הנחות|מבצע|מבצעים|קופון|מועדון לקוחות",
    "languages": r"\bdo you speak\b|\blanguages?\b|\b(?:english|hebrew|french|russian|arabic|spanish)[\s-]speaking\b|"
    r"(?:אתם|מישהו) מדבר(?:ים)?|שפות|דוברי",
    "minibar": r"\bmini[\s-]?bar\b|\bfridge\b|\brefrigerator\b|מיני[\s־-]?בר|מקרר",
    "kettle": r"\bkettles?\b|\b(?:coffee|espresso) (?:machines?|makers?|corners?)\b|קומקום|(?:מכונת|פינת) (?:קפה|אספרסו)",
    "microwave": r"\bmicrowaves?\b|מיקרו(?:גל)?(?![א-ת])",
    "kitchen": r"\bkitchen(?:ette)?s?\b(?! (?:kosher|is kosher))|\bcook(?:ing|er)?\b|\bstove\b|\b(?:warm|heat)(?:ing)? (?:up )?(?:[\w']+ )?(?:food|bottles?|milk|meals?)\b|מטבחון|פינת בישול|לבשל|כיריים|לחמם (?:אוכל|בקבוק|חלב|ארוח)",
    "shower": r"\bshowers?\b|מקלח(?:ת|ון)",
    "bathtub": r"\bbath(?:tub)?s?\b|\b(?:room|suite) with (?:an? |the )?(?:jacuzzi|hot tub|whirlpool)|\b(?:jacuzzi|hot tub|whirlpool)(?: bath)? in (?:the|our|a|your) (?:room|suite)|"
    r"(?:חדר|סוויטה) עם ג'?קוזי|ג'?קוזי בחדר|אמבטי(?:ה|ות)|אמבט(?![א-ת])",
    "sea view": r"\b(?:sea|ocean)[\s-]?(?:views?|front|facing)\b|\bviews? (?:of|to|over|on) (?:the )?(?:sea|ocean|water)\b|"
    r"\b(?:fac\w+|overlook\w*|see|look\w*) (?:at |over |out on )?(?:the )?(?:sea|ocean)\b|נוף (?:חלקי )?(?:ל|אל ה)ים|קו ראשון לים|(?:פונה|פונים|רואים|לראות) (?:את |ל)?ה?ים(?![א-ת])",
    "connecting rooms": r"\b(?:inter)?(?:connecting|connected|adjoining) (?:\w+ )?(?:rooms?|suites?|doors?)\b|\bdoor (?:in )?between\b|\brooms? (?:that |which )?(?:are )?(?:inter)?connect(?:ed|ing)?\b|"
    r"חדרים (?:מחוברים|מתחברים|מקושרים|עם דלת)|דלת (?:מקשרת|מחברת|ביניהם|פנימית|בין)",
    "age": r"\bminimum age\b|\bage (?:limit|restriction)\b(?! for (?:kids?|child))|גיל מינימ",
}
"""Topic to its words, English and Hebrew. The property matches topics by its own keys and aliases."""

ROOM_FACTS = (
    *("shower", "bathtub", "kettle", "minibar", "kitchen", "microwave", "balcony", "safe", "air conditioning"),
    *("sea view", "connecting rooms"),
)
"""Topics that the rooms' own facts answer, where any room has it."""


def says(feature: str, topic: str) -> bool:
    """Whether what a room has is what the topic asks about."""
    return bool(re.search(TOPICS[topic], f"a {fold(feature)}"))


def has(room: RoomKind | RoomType, topic: str) -> bool:
    """Whether the room's own facts answer the topic."""
    return any(says(feature, topic) for feature in (*room.features, *room.features_he))


SPECIAL = {
    "late check out": re.compile(TOPICS["late check out"]),
    "early check in": re.compile(TOPICS["early check in"]),
}
"""Topics whose words also name a more general one."""
SHABBAT_FACTS = re.compile(
    r"\bshabb(?:at|os|es)\b[\s-]*(?:elevator|lift|key|observan|friendly|arrangements?|meals?|mode|clock)|"
    r"\bkeep(?:s|ing)? shabbat|\bsynagogue|\b(?:before|after|when) shabbat (?:starts|begins|comes in|enters)|כניסת ה?שבת|"
    r"(?:להישאר|בחדר|לעזוב|לפנות) (?:\S+ )?עד צאת ה?שבת|\b(?:stay|(?:keep|use|have) the room) (?:until|till) (?:the end of )?(?:shabbat|the sabbath)(?: ends| is (?:out|over))?|"
    r"מעלית שבת|שומרי? שבת|מפתח שבת|סידורי שבת|ארוחות שבת|\bsu[ck]+ahs?\b|(?<![א-ת])[הב]?סוכה(?![א-ת])"
)
_ASKED = re.compile(
    r"\b(?:do(?:es)? (?:you|the hotel|(?:the )?rooms?|your hotel|the place|it|u)(?: guys| all| also)? (?:have|offer|provide|serve|sell|rent|accept|allow)|"
    r"(?:is|are) there(?: also)?|there(?:'s| is)|have you got|can (?:i|we) (?:use|rent|get|have|order|bring)|can you (?:put|bring|arrange|organi[sz]e|prepare)|"
    r"what about(?= an?\b| the\b)|how about(?= an?\b))\s+"
    r"(?:(?:an?|any|the|some|your|my|our|in-house|on-site|free|private)\s+)*([a-z][a-z'-]*(?:\s+[a-z][a-z'-]*){0,2}?)"
    r"(?=\s+(?:at|in|on|for|near|nearby|close|around|available|there|here|please|too|also|and|or|as|with|from|to|that|which|i|we|you|is|are)\b|"
    r"\s*[?.!,;|&]|\s*$)"
)
_ASKED_HE = re.compile(
    r"(?<![א-ת])(?:האם |ו|ש)?(?:יש(?! (?:לי|לנו|מה|מי|איפה|איך|למי)(?![א-ת]))|(?:אפשר|תוכלו) (?:לשים|לארגן|להכין|לסדר)|קיים|קיימת|"
    r"קיימים)(?:\s+(?:לכם|אצלכם|במלון|אצלך|שם|פה|כאן|בחדר|בחדרים|גם|איזה|איזו|איזשהו))*\s+"
    r"([א-ת\"']{2,}(?:\s+[א-ת\"']{2,}){0,2}?)(?=\s+(?:במלון|אצלכם|לכם|בחדר|בחדרים|בסביבה|ליד|באזור|שם|פה|כאן|וגם|או|עם|של|ב[א-ת]+)(?![א-ת])|"
    r"\s+[בלמה]?\||\s*[?.!,;|]|\s*$)"
)


def read_topics(text: str) -> tuple[str, ...]:
    """Topics asked about in folded text, in the order of their words; the unknown noun when nothing else is known."""
    found = [(m.start(), topic) for topic, words in TOPICS.items() if (m := re.search(words, text))]
    things = [
        (m.start(1), noun)
        for noun, m in _things(text)
        if not any(re.search(words, f"a {noun}") for words in TOPICS.values())
    ]
    return tuple(dict.fromkeys(topic for _, topic in sorted(found + things)))


_INQUIRES = re.compile(
    r"\?|^\W*(?:(?:and|hi|hello|hey)\W+)?(?:what|when|where|which|who|how|is|are|do|does|can|could|may|would|will|tell|any)\b|\b(?:about|info(?:rmation)?)\b|"
    r"(?<![א-ת])ו?(?:מה|מי|למי|מתי|איפה|איך|האם|אפשר|ניתן|מותר|יש|לגבי)(?![א-ת])"
)
_SENTENCES = re.compile(r"(?<=[.?!;\n])\s*")
_OF_HOUSE = frozenset({"hotel", "price", "lodging", "wish", "of_fact", "greeting", "thanks", "best_room"})
"""Intents beside which a question may still be about the property's own texts."""


CERTAIN = 1.2
"""Score of a passage that a name or several words lead to."""


def of_the_house(
    text: str, profile: PropertyProfile, named: Sequence[str] = (), *, beside: bool = False
) -> tuple[Topic | RoomKind, ...]:
    """What the property's own texts have nearest to each question that no topic is known for; or the topic that it names.

    `named`: the rooms that are spoken of, which answer first; `beside`: it stands beside a stay, or another topic, so that one
    word of a text is not enough.
    """
    asked = [part for part in _SENTENCES.split(text) if _INQUIRES.search(part) and "|" not in part]
    found = [
        (part, nearest(profile.topics, profile.rooms, part, named))
        for part in asked
        if read_intents(part) <= _OF_HOUSE and not read_verdict(part)
    ]
    fits = [
        match.source
        for part, match in found
        if match
        and (match.score >= CERTAIN or named or not beside)
        and (getattr(match.source, "code", None) in named if named else not TOPICS.keys() & read_topics(part))
    ]
    name = normalise(text)
    called = [topic for topic in profile.topics if name in topic_names(topic)]
    called = [] if read_intents(text) or read_verdict(text) else called
    return tuple(dict.fromkeys([*fits, *called]))


def _things(text: str) -> list[tuple[str, re.Match[str]]]:
    found = [*_ASKED.finditer(text), *_ASKED_HE.finditer(text)]
    return [(m.group(1).strip(), m) for m in found if content_words(m.group(1)) and not _OF_ROOMS.search(m.group(1))]


_OF_ROOMS = re.compile(r"\b(?:beds?|rooms?|suites?)\b|(?<![א-ת])(?:מיט(?:ה|ות)|חדר(?:ים)?|סוויט(?:ה|ות))(?![א-ת])")
"""What the rooms themselves are asked for, which is no topic of its own."""
