-- The rows of an endpoint follow it in slices: what it may send is for the endpoint's own row to say, at once, and each of
-- its deliveries is moved to where that puts it a little later.
ALTER TABLE endpoints ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 0; -- 1: some of its rows may not be where it says
-- Places in the order of events (events.ref), up to which something is done or to be done; null: there is nothing to do.
ALTER TABLE endpoints ADD COLUMN discards_to INTEGER; -- held rows up to here are to be discarded
ALTER TABLE endpoints ADD COLUMN queued_to INTEGER; -- open rows up to here were given turns; until all were, none is sent
ALTER TABLE endpoints ADD COLUMN reconsidered_to INTEGER; -- rows up to here that a channel put off were made due again
-- 1: it succeeded after it had failed, and rows that wait for their schedule are brought forward
ALTER TABLE endpoints ADD COLUMN recovering INTEGER NOT NULL DEFAULT 0;

ALTER TABLE deliveries ADD COLUMN not_before INTEGER; -- what `Retry-After` asked for; no row is brought forward before it
-- Of a row that was brought forward: when its retry was due. A failure puts it back to then, as if it had not been tried.
ALTER TABLE deliveries ADD COLUMN resumes_at INTEGER;

-- What the schedule before these columns knew of such answers.
UPDATE deliveries SET not_before = wake_at
WHERE state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND last_status IN (429, 503);

-- Rows that wait, in the order of events: `round = 0` tells what a channel put off from what failed.
CREATE INDEX deliveries_put_off ON deliveries (subscription, round = 0, event, not_before)
  WHERE state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND turn IS NOT 0 AND resumes_at IS NULL;
