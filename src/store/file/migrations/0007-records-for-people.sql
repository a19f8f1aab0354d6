-- What people look records up by. All of it follows from bodies and events, and is written with them. A store that exists is
-- filled by code, because bodies are compressed: `unfilled` names what is still to be filled before the store is used.

CREATE TABLE unfilled (
  what TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO unfilled VALUES ('records');

ALTER TABLE records ADD COLUMN last_event_at INTEGER NOT NULL DEFAULT 0; -- when it last rang; 0: never
ALTER TABLE records ADD COLUMN status TEXT;
ALTER TABLE records ADD COLUMN name TEXT;
ALTER TABLE records ADD COLUMN carrier TEXT; -- of a shipment
ALTER TABLE records ADD COLUMN lane TEXT; -- of a shipment: from port to port

CREATE INDEX records_rang ON records (account, resource, last_event_at);
CREATE INDEX records_status ON records (account, resource, status, last_event_at);

-- What a record is found by: each term by itself for the search, and all of a record's together (JSON) to know which of them
-- changed, and which of several that match is the first.
CREATE TABLE terms (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  term TEXT NOT NULL,
  record INTEGER NOT NULL, -- in records
  PRIMARY KEY (account, resource, term, record)
) STRICT, WITHOUT ROWID;

CREATE TABLE record_terms (
  record INTEGER PRIMARY KEY, -- in records
  terms TEXT NOT NULL
) STRICT;

-- The values that each date of a shipment had, in their order. They outlive the payloads of their events.
CREATE TABLE dates (
  account TEXT NOT NULL,
  shipment TEXT NOT NULL,
  milestone TEXT NOT NULL,
  place INTEGER NOT NULL, -- from 1
  seen_at INTEGER, -- null: not known
  told_at INTEGER, -- null: learnt silently
  event TEXT, -- the id of the event that reported it
  status TEXT,
  date TEXT, -- as sent; null: there was none
  PRIMARY KEY (account, shipment, milestone, place)
) STRICT, WITHOUT ROWID;

-- The dates of shipments that moved, as events reported it.
CREATE TABLE slips (
  ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  shipment TEXT NOT NULL,
  milestone TEXT NOT NULL,
  first INTEGER NOT NULL, -- the first instant that was ever seen
  now INTEGER NOT NULL,
  revisions INTEGER NOT NULL,
  moved_at INTEGER NOT NULL,
  day INTEGER NOT NULL, -- of moved_at, since the Unix epoch
  size INTEGER NOT NULL, -- minutes between first and now, in either direction
  UNIQUE (account, shipment, milestone)
) STRICT;

CREATE INDEX slips_day ON slips (account, day, size);
