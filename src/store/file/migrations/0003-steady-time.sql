-- Waits are measured by steady time, which goes on evenly where the wall clock is set: what that shows, plus `ahead`. One row.
-- `deliveries.wake_at` and `rests.until` are instants of it; `deliveries.next_attempt_at` is one of the wall clock.
CREATE TABLE steady_time (
  latest INTEGER NOT NULL, -- the latest instant that a wait is known to have begun at: it never goes back
  ahead INTEGER NOT NULL
) STRICT;

-- Until now waits were measured by the wall clock, which the last attempt says the latest reading of.
INSERT INTO steady_time SELECT ifnull((SELECT at + duration_ms FROM attempts ORDER BY ref DESC LIMIT 1), 0), 0;

-- What began to wait while the clock was ahead would wait for all of the difference: it is due.
UPDATE deliveries SET wake_at = NULL
WHERE state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
  AND (SELECT max(at) FROM attempts WHERE delivery = deliveries.ref) > (SELECT latest FROM steady_time);

-- For how long the attempts failed since the last success: each gap between two counts up to the longest step of the schedule.
ALTER TABLE endpoints ADD COLUMN failing_for INTEGER NOT NULL DEFAULT 0;
ALTER TABLE endpoints ADD COLUMN failed_at INTEGER; -- the last failure, in steady time

-- What the gaps were is not known: a day each at most, and none is disabled before it has failed for another day.
UPDATE endpoints SET failed_at = last_failure_at, failing_for = max(0, min(
  last_failure_at - failing_since, 86400000 * (failures_in_row - 1), 4 * 86400000))
WHERE failing_since IS NOT NULL AND last_failure_at IS NOT NULL;
