-- Whoever takes the payloads of events, or drops events, counts that in the spans of the log: once for each step.
DROP TRIGGER IF EXISTS events_expired;
DROP TRIGGER IF EXISTS events_dropped;
