-- What a retry would send is counted by indexes alone, and what waits to be sent together by one trigger.

-- What the events of a span have in common, so that rows of the ledger are counted without looking at each one's event. A span
-- is 4,096 places in the order of storing. Kept by the triggers below.
CREATE TABLE log_spans (
  span INTEGER PRIMARY KEY, -- events.ref >> 12
  events INTEGER NOT NULL,
  expired INTEGER NOT NULL, -- how many of them have no payload any more
  oldest INTEGER NOT NULL, -- of their stored_at
  newest INTEGER NOT NULL
) STRICT;

INSERT INTO log_spans
SELECT ref >> 12, count(*), count(expired_at), min(stored_at), max(stored_at) FROM events GROUP BY 1;

CREATE TRIGGER events_spanned AFTER INSERT ON events
BEGIN
  INSERT INTO log_spans VALUES (new.ref >> 12, 1, new.expired_at IS NOT NULL, new.stored_at, new.stored_at)
  ON CONFLICT DO UPDATE SET events = events + 1, expired = expired + excluded.expired,
    oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest);
END;

CREATE TRIGGER events_expired AFTER UPDATE OF expired_at ON events
WHEN old.expired_at IS NULL AND new.expired_at IS NOT NULL
BEGIN
  UPDATE log_spans SET expired = expired + 1 WHERE span = new.ref >> 12;
END;

-- Both hold all that a count asks of a row.
DROP INDEX deliveries_state;
CREATE INDEX deliveries_state ON deliveries (state, subscription, event, test);
DROP INDEX deliveries_failed;
CREATE INDEX deliveries_failed ON deliveries (subscription, event, state, test, last_status, last_error)
  WHERE last_error IS NOT NULL AND state IN ('pending', 'held', 'exhausted');

-- One trigger keeps `deferrals` in place of two, and asks first what most changes of a row end at.
DROP TRIGGER deliveries_deferred;
DROP TRIGGER deliveries_awoken;

CREATE TRIGGER deliveries_deferred AFTER UPDATE OF state, wake_at, claimed_by, round, turn ON deliveries
WHEN (new.claimed_by IS NULL AND new.wake_at IS NOT NULL AND new.round = 0 AND new.state = 'pending' AND new.test = 0
    AND new.turn IS NOT 0)
  OR (old.claimed_by IS NULL AND old.wake_at IS NOT NULL AND old.round = 0 AND old.state = 'pending' AND old.test = 0
    AND old.turn IS NOT 0)
BEGIN
  INSERT INTO deferrals SELECT old.subscription, old.wake_at, -1
  WHERE old.claimed_by IS NULL AND old.wake_at IS NOT NULL AND old.round = 0 AND old.state = 'pending' AND old.test = 0
    AND old.turn IS NOT 0
  ON CONFLICT DO UPDATE SET amount = amount - 1;
  INSERT INTO deferrals SELECT new.subscription, new.wake_at, 1
  WHERE new.claimed_by IS NULL AND new.wake_at IS NOT NULL AND new.round = 0 AND new.state = 'pending' AND new.test = 0
    AND new.turn IS NOT 0
  ON CONFLICT DO UPDATE SET amount = amount + 1;
  DELETE FROM deferrals WHERE subscription = old.subscription AND wake_at = old.wake_at AND amount = 0;
  DELETE FROM deferrals WHERE subscription = new.subscription AND wake_at = new.wake_at AND amount = 0;
END;
