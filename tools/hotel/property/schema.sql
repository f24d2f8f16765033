-- One property in one SQLite file. Money: integers of the currency's smallest unit, VAT included. Dates: ISO text, civil dates of
-- the property. '*' in a restriction means every room type, every rate plan.

CREATE TABLE IF NOT EXISTS property (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, tz TEXT NOT NULL, country TEXT NOT NULL,
  currency TEXT NOT NULL, vat_bp INTEGER NOT NULL, check_in TEXT NOT NULL, check_out TEXT NOT NULL,
  weekend_nights TEXT NOT NULL, child_max_age INTEGER NOT NULL, baby_max_age INTEGER NOT NULL,
  max_nights INTEGER NOT NULL, phone TEXT NOT NULL, email TEXT NOT NULL, booking_url TEXT,
  church TEXT, -- whose Easter it keeps; NULL = its country's
  keep_days_after_departure INTEGER NOT NULL DEFAULT 2557 -- how long the accounts need an erased guest's name
);
CREATE TABLE IF NOT EXISTS room_type (
  code TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, base_occ INTEGER NOT NULL,
  max_adults INTEGER NOT NULL, max_children INTEGER NOT NULL, max_babies INTEGER NOT NULL, max_total INTEGER NOT NULL,
  size_sqm INTEGER NOT NULL, beds TEXT NOT NULL, beds_he TEXT NOT NULL,
  features_json TEXT NOT NULL, features_he_json TEXT NOT NULL, images_json TEXT NOT NULL, aliases_json TEXT NOT NULL DEFAULT '[]', position INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS inventory (
  room_type TEXT NOT NULL, date TEXT NOT NULL, total INTEGER NOT NULL, sold INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0, stop_sell INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (room_type, date), CHECK (sold >= 0 AND held >= 0 AND sold + held <= total)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rate_plan (
  code TEXT PRIMARY KEY, name TEXT NOT NULL, name_he TEXT NOT NULL, board TEXT NOT NULL, refundable INTEGER NOT NULL,
  cancel_days INTEGER NOT NULL, nrf_bp INTEGER NOT NULL, audience TEXT NOT NULL CHECK (audience IN ('resident', 'tourist', 'all')),
  min_adv INTEGER, max_adv INTEGER,
  rates_of TEXT NOT NULL, -- the plan whose rows in `rate` price this one; itself when it has its own
  position INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS rate (
  rate_plan TEXT NOT NULL, room_type TEXT NOT NULL, date TEXT NOT NULL, base_agorot INTEGER NOT NULL,
  extra_adult INTEGER NOT NULL, extra_child INTEGER NOT NULL, extra_baby INTEGER NOT NULL,
  single_use INTEGER, -- the room for one adult alone; NULL = the base rate
  PRIMARY KEY (rate_plan, room_type, date)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rate_by_date ON rate (date);
CREATE TABLE IF NOT EXISTS restriction (
  room_type TEXT NOT NULL DEFAULT '*', rate_plan TEXT NOT NULL DEFAULT '*', date TEXT NOT NULL,
  min_stay INTEGER, min_stay_arrival INTEGER, max_stay INTEGER, cta INTEGER NOT NULL DEFAULT 0, ctd INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (date, room_type, rate_plan)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meal (
  board TEXT NOT NULL, guest TEXT NOT NULL CHECK (guest IN ('A', 'C', 'B')), date_from TEXT NOT NULL, date_to TEXT NOT NULL,
  agorot INTEGER NOT NULL, PRIMARY KEY (board, guest, date_from)
);
CREATE TABLE IF NOT EXISTS faq (
  topic TEXT PRIMARY KEY, title TEXT NOT NULL, title_he TEXT NOT NULL, text TEXT NOT NULL, text_he TEXT NOT NULL,
  aliases_json TEXT NOT NULL, position INTEGER NOT NULL,
  policy_json TEXT NOT NULL DEFAULT '{}' -- what the text says in figures, as far as it is given
);

-- Written by bookings only; a new seed or import leaves these rows alone. Moments: ISO text in UTC, to the second.
CREATE TABLE IF NOT EXISTS quote (
  id TEXT PRIMARY KEY, payload_json TEXT NOT NULL, payload_hash TEXT NOT NULL,
  splits_json TEXT NOT NULL, -- the guests of every room: [part][room][adults, children, babies]
  total_agorot INTEGER NOT NULL, expires_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS quote_by_end ON quote (expires_at);
CREATE TABLE IF NOT EXISTS booking (
  quote_id TEXT PRIMARY KEY, -- a quote books once: with the file's one property, the idempotency key
  ref TEXT UNIQUE, -- NULL until confirmed
  req_hash TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('hold', 'confirmed', 'cancelled', 'expired')),
  hold_until TEXT, guest_json TEXT NOT NULL, check_in TEXT NOT NULL, check_out TEXT NOT NULL, total_agorot INTEGER NOT NULL,
  fee_agorot INTEGER, -- what the cancellation cost
  created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS booking_by_status ON booking (status, hold_until);
CREATE TABLE IF NOT EXISTS booking_erased (
  quote_id TEXT PRIMARY KEY, -- a booking of an erased guest of whom something is still kept
  erase_on TEXT NOT NULL -- the day from which less is kept
);
CREATE TABLE IF NOT EXISTS booking_room (
  quote_id TEXT NOT NULL, n INTEGER NOT NULL, room_type TEXT NOT NULL, rate_plan TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0), PRIMARY KEY (quote_id, n)
);
CREATE TABLE IF NOT EXISTS booking_night (
  quote_id TEXT NOT NULL, n INTEGER NOT NULL, date TEXT NOT NULL,
  agorot INTEGER NOT NULL, -- for all `count` rooms
  PRIMARY KEY (quote_id, n, date)
);
