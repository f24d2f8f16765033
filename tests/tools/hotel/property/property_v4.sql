BEGIN TRANSACTION;
CREATE TABLE booking (
  quote_id TEXT PRIMARY KEY, 
  ref TEXT UNIQUE, 
  req_hash TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('hold', 'confirmed', 'cancelled', 'expired')),
  hold_until TEXT, guest_json TEXT NOT NULL, check_in TEXT NOT NULL, check_out TEXT NOT NULL, total_agorot INTEGER NOT NULL,
  fee_agorot INTEGER, 
  created_at TEXT NOT NULL
);
INSERT INTO "booking" VALUES('Q-28DQNNYE63','WG-D8LKJDVG','f02442e34b4a900e6ac2cd98b176db82','confirmed',NULL,'{"name":"Dana Levi","email":"dana@example.com","phone":null,"notes":null}','2027-01-18','2027-01-20',24100,NULL,'2026-11-28T08:08:00+00:00');
CREATE TABLE booking_erased (
  quote_id TEXT PRIMARY KEY, 
  erase_on TEXT NOT NULL 
);
CREATE TABLE booking_night (
  quote_id TEXT NOT NULL, n INTEGER NOT NULL, date TEXT NOT NULL,
  agorot INTEGER NOT NULL, 
  PRIMARY KEY (quote_id, n, date)
);
INSERT INTO "booking_night" VALUES('Q-28DQNNYE63',0,'2027-01-18',12050);
INSERT INTO "booking_night" VALUES('Q-28DQNNYE63',0,'2027-01-19',12050);
CREATE TABLE booking_room (
  quote_id TEXT NOT NULL, n INTEGER NOT NULL, room_type TEXT NOT NULL, rate_plan TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0), PRIMARY KEY (quote_id, n)
);
INSERT INTO "booking_room" VALUES('Q-28DQNNYE63',0,'LOFT','FLEX',1);
CREATE TABLE faq (
  topic TEXT PRIMARY KEY, title TEXT NOT NULL, title_he TEXT NOT NULL, text TEXT NOT NULL, text_he TEXT NOT NULL,
  aliases_json TEXT NOT NULL, position INTEGER NOT NULL
);
INSERT INTO "faq" VALUES('parking','Parking','חניה','Free.','חינם.','[]',0);
INSERT INTO "faq" VALUES('pets','Pets','חיות מחמד','Dogs up to 10 kg.','כלבים עד 10 ק״ג.','["dog", "כלב"]',1);
CREATE TABLE inventory (
  room_type TEXT NOT NULL, date TEXT NOT NULL, total INTEGER NOT NULL, sold INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0, stop_sell INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (room_type, date), CHECK (sold >= 0 AND held >= 0 AND sold + held <= total)
) WITHOUT ROWID;
INSERT INTO "inventory" VALUES('LOFT','2027-01-15',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-16',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-17',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-18',2,1,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-19',2,1,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-20',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-21',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-22',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-23',2,0,0,0);
INSERT INTO "inventory" VALUES('LOFT','2027-01-24',2,0,0,0);
CREATE TABLE meal (
  board TEXT NOT NULL, guest TEXT NOT NULL CHECK (guest IN ('A', 'C', 'B')), date_from TEXT NOT NULL, date_to TEXT NOT NULL,
  agorot INTEGER NOT NULL, PRIMARY KEY (board, guest, date_from)
);
CREATE TABLE property (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, tz TEXT NOT NULL, country TEXT NOT NULL,
  currency TEXT NOT NULL, vat_bp INTEGER NOT NULL, check_in TEXT NOT NULL, check_out TEXT NOT NULL,
  weekend_nights TEXT NOT NULL, child_max_age INTEGER NOT NULL, baby_max_age INTEGER NOT NULL,
  max_nights INTEGER NOT NULL, phone TEXT NOT NULL, email TEXT NOT NULL, booking_url TEXT,
  church TEXT, 
  keep_days_after_departure INTEGER NOT NULL DEFAULT 2557 
);
INSERT INTO "property" VALUES('old-inn','Old Inn','פונדק ישן','Europe/Athens','GR','EUR',0,'15:00','11:00','[4, 5]',12,1,20,'+30-21-555-0100','',NULL,NULL,2557);
CREATE TABLE quote (
  id TEXT PRIMARY KEY, payload_json TEXT NOT NULL, payload_hash TEXT NOT NULL,
  splits_json TEXT NOT NULL, 
  total_agorot INTEGER NOT NULL, expires_at TEXT NOT NULL
);
INSERT INTO "quote" VALUES('Q-28DQNNYE63','{"adults":2,"cancel_until":"2027-01-16","check_in":"2027-01-18","check_out":"2027-01-20","children_ages":[],"currency":"EUR","nights":2,"parts":[{"board":"RO","cancel_until":"2027-01-16","count":1,"currency":"EUR","nightly_agorot":[12050,12050],"per_night_agorot":12050,"rate_name":"Flexible","rate_plan":"FLEX","refundable":true,"room_name":"Harbour Loft","room_name_he":"לופט הנמל","room_type":"LOFT","rooms_left":2,"total_agorot":24100}],"per_night_agorot":12050,"quote_id":"Q-28DQNNYE63","refundable":true,"rooms":1,"total_agorot":24100,"without_cancellation_agorot":null}','64f093ba525945ddc1613d6e3988049c','[[[2,0,0]]]',24100,'2026-11-28T08:38:00+00:00');
CREATE TABLE rate (
  rate_plan TEXT NOT NULL, room_type TEXT NOT NULL, date TEXT NOT NULL, base_agorot INTEGER NOT NULL,
  extra_adult INTEGER NOT NULL, extra_child INTEGER NOT NULL, extra_baby INTEGER NOT NULL,
  single_use INTEGER, 
  PRIMARY KEY (rate_plan, room_type, date)
) WITHOUT ROWID;
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-15',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-16',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-17',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-18',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-19',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-20',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-21',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-22',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-23',12050,0,0,0,NULL);
INSERT INTO "rate" VALUES('FLEX','LOFT','2027-01-24',12050,0,0,0,NULL);
CREATE TABLE rate_plan (
  code TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, board TEXT NOT NULL, refundable INTEGER NOT NULL,
  cancel_days INTEGER NOT NULL, nrf_bp INTEGER NOT NULL, audience TEXT NOT NULL CHECK (audience IN ('resident', 'tourist', 'all')),
  min_adv INTEGER, max_adv INTEGER,
  rates_of TEXT NOT NULL, 
  position INTEGER NOT NULL
);
INSERT INTO "rate_plan" VALUES('FLEX','Flexible','גמיש','RO',1,2,10000,'all',NULL,NULL,'FLEX',0);
CREATE TABLE restriction (
  room_type TEXT NOT NULL DEFAULT '*', rate_plan TEXT NOT NULL DEFAULT '*', date TEXT NOT NULL,
  min_stay INTEGER, min_stay_arrival INTEGER, max_stay INTEGER, cta INTEGER NOT NULL DEFAULT 0, ctd INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (date, room_type, rate_plan)
) WITHOUT ROWID;
CREATE TABLE room_type (
  code TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, base_occ INTEGER NOT NULL,
  max_adults INTEGER NOT NULL, max_children INTEGER NOT NULL, max_babies INTEGER NOT NULL, max_total INTEGER NOT NULL,
  size_sqm INTEGER NOT NULL, beds TEXT NOT NULL, beds_he TEXT NOT NULL,
  features_json TEXT NOT NULL, features_he_json TEXT NOT NULL, images_json TEXT NOT NULL, aliases_json TEXT NOT NULL DEFAULT '[]', position INTEGER NOT NULL
);
INSERT INTO "room_type" VALUES('LOFT','Harbour Loft','לופט הנמל',2,2,0,1,2,0,'','','[]','[]','[]','["attic"]',0);
CREATE INDEX rate_by_date ON rate (date);
CREATE INDEX quote_by_end ON quote (expires_at);
CREATE INDEX booking_by_status ON booking (status, hold_until);
PRAGMA user_version = 4;
COMMIT;
