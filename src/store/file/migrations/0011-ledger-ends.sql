-- The ledger ends: rows of events, deliveries and attempts go some time after they ended, and their numbers stay.

-- What may go is looked for among events without payloads. Written when a payload expires, never by a commit.
CREATE INDEX events_bare ON events (stored_at) WHERE expired_at IS NOT NULL;

-- Days are of UTC, since the Unix epoch. Hours that ended before the ledger begins are put together here.
CREATE TABLE event_days (
  day INTEGER NOT NULL,
  account TEXT NOT NULL, -- '': of no account
  type TEXT NOT NULL,
  amount INTEGER NOT NULL, -- how many events rang
  PRIMARY KEY (day, account, type)
) STRICT, WITHOUT ROWID;

-- Rows that were dropped, tests left out, by the day on which they ended.
CREATE TABLE delivery_days (
  day INTEGER NOT NULL,
  subscription TEXT NOT NULL,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (day, subscription, state)
) STRICT, WITHOUT ROWID;

-- One row: what ended until then may have been dropped; null: nothing was.
CREATE TABLE ledger_begin (
  dropped_to INTEGER
) STRICT;

INSERT INTO ledger_begin VALUES (NULL);

-- What was delivered stays so, and is counted after its row was dropped. An exhausted row that is gone needs nobody any more.
DROP TRIGGER deliveries_dropped;
CREATE TRIGGER deliveries_dropped AFTER DELETE ON deliveries
WHEN old.test = 0 AND old.state NOT IN ('delivered', 'discarded')
BEGIN
  UPDATE tallies SET amount = amount - 1 WHERE subscription = old.subscription AND state = old.state;
END;

CREATE TRIGGER events_dropped AFTER DELETE ON events
BEGIN
  UPDATE log_spans SET events = events - 1, expired = expired - (old.expired_at IS NOT NULL) WHERE span = old.ref >> 12;
  DELETE FROM log_spans WHERE span = old.ref >> 12 AND events = 0;
END;

-- A commit takes a row that is free before it makes one: no index leads from a sighting to its events, so that rows of `sightings`
-- are emptied when their events go, never deleted (a foreign key would look through all events).
CREATE INDEX sightings_free ON sightings (ref) WHERE told = '';
