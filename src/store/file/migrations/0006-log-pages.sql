-- What people look through is found by key, however long the log and the ledger are, and overviews count nothing.

CREATE INDEX events_kind ON events (account, type, stored_at);

-- Which kinds of events there are: what pages of the log are merged from.
CREATE TABLE event_kinds (
  account TEXT NOT NULL, -- '': of no account
  type TEXT NOT NULL,
  resource TEXT NOT NULL,
  PRIMARY KEY (account, type, resource)
) STRICT, WITHOUT ROWID;

INSERT INTO event_kinds SELECT DISTINCT ifnull(account, ''), type, resource FROM events;

-- How many events rang in each hour; `hour` is when it began.
CREATE TABLE event_hours (
  hour INTEGER NOT NULL,
  account TEXT NOT NULL, -- '': of no account
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (hour, account, type)
) STRICT, WITHOUT ROWID;

INSERT INTO event_hours
SELECT stored_at - stored_at % 3600000, ifnull(account, ''), type, count(*) FROM events GROUP BY 1, 2, 3;

-- The first event of each hour in the order of storing: from when on that order is of interest, also where the clock was set back.
CREATE TABLE log_hours (
  hour INTEGER PRIMARY KEY,
  first INTEGER NOT NULL -- events.ref
) STRICT;

INSERT INTO log_hours SELECT stored_at - stored_at % 3600000, min(ref) FROM events GROUP BY 1;

-- Rows that failed and are not delivered, in the order of events.
CREATE INDEX deliveries_failed ON deliveries (subscription, event)
  WHERE last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted');

CREATE INDEX rejections_account ON rejections (account);

-- Records of each list that are not removed, kept by the triggers below.
CREATE TABLE list_sizes (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (account, resource)
) STRICT, WITHOUT ROWID;

INSERT INTO list_sizes SELECT account, resource, count(*) FROM reads WHERE misses IS NOT NULL GROUP BY 1, 2;

CREATE TRIGGER reads_added AFTER INSERT ON reads WHEN new.misses IS NOT NULL
BEGIN
  INSERT INTO list_sizes VALUES (new.account, new.resource, 1) ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TRIGGER reads_removed AFTER UPDATE OF misses ON reads WHEN old.misses IS NOT NULL AND new.misses IS NULL
BEGIN
  UPDATE list_sizes SET records = records - 1 WHERE account = old.account AND resource = old.resource;
END;

CREATE TRIGGER reads_restored AFTER UPDATE OF misses ON reads WHEN old.misses IS NULL AND new.misses IS NOT NULL
BEGIN
  INSERT INTO list_sizes VALUES (new.account, new.resource, 1) ON CONFLICT DO UPDATE SET records = records + 1;
END;

CREATE TRIGGER reads_dropped AFTER DELETE ON reads WHEN old.misses IS NOT NULL
BEGIN
  UPDATE list_sizes SET records = records - 1 WHERE account = old.account AND resource = old.resource;
END;

-- Of records that are on no page: which were read longest ago, and which last.
CREATE INDEX reads_alone ON reads (account, resource, answered_at) WHERE page IS NULL AND misses IS NOT NULL;

-- Rows that were put off without an attempt, tests left out, by when they wake: they wait to be sent together. Kept by the
-- triggers below, each change of a row by what it was and what it is.
CREATE TABLE deferrals (
  subscription TEXT NOT NULL,
  wake_at INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (subscription, wake_at)
) STRICT, WITHOUT ROWID;

INSERT INTO deferrals
SELECT subscription, wake_at, count(*) FROM deliveries
WHERE state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND round = 0 AND test = 0 AND turn IS NOT 0
GROUP BY 1, 2;

CREATE TRIGGER deliveries_deferred AFTER UPDATE OF state, wake_at, claimed_by, round, turn ON deliveries
WHEN new.wake_at IS NOT NULL AND new.claimed_by IS NULL AND new.state = 'pending' AND new.round = 0 AND new.test = 0
  AND new.turn IS NOT 0
BEGIN
  INSERT INTO deferrals VALUES (new.subscription, new.wake_at, 1) ON CONFLICT DO UPDATE SET amount = amount + 1;
  DELETE FROM deferrals WHERE subscription = new.subscription AND wake_at = new.wake_at AND amount = 0;
END;

CREATE TRIGGER deliveries_awoken AFTER UPDATE OF state, wake_at, claimed_by, round, turn ON deliveries
WHEN old.wake_at IS NOT NULL AND old.claimed_by IS NULL AND old.state = 'pending' AND old.round = 0 AND old.test = 0
  AND old.turn IS NOT 0
BEGIN
  INSERT INTO deferrals VALUES (old.subscription, old.wake_at, -1) ON CONFLICT DO UPDATE SET amount = amount - 1;
  DELETE FROM deferrals WHERE subscription = old.subscription AND wake_at = old.wake_at AND amount = 0;
END;

CREATE TRIGGER deliveries_deferred_dropped AFTER DELETE ON deliveries
WHEN old.wake_at IS NOT NULL AND old.claimed_by IS NULL AND old.state = 'pending' AND old.round = 0 AND old.test = 0
  AND old.turn IS NOT 0
BEGIN
  INSERT INTO deferrals VALUES (old.subscription, old.wake_at, -1) ON CONFLICT DO UPDATE SET amount = amount - 1;
  DELETE FROM deferrals WHERE subscription = old.subscription AND wake_at = old.wake_at AND amount = 0;
END;
