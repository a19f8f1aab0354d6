-- Whoever stores events holds the log until his transaction ends, so that the order of `events.ref` is that of the commits, and
-- so does whoever writes what counts them. Endpoints are held after it.
CREATE FUNCTION hold_log() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(1397244493)
$$;

-- One call, because all that store events wait for each other from its begin to the end of the transaction. `new_events`,
-- `new_totals` and `new_deliveries` name events by their place behind the log's end, from 1 on.
CREATE FUNCTION store_events(
  provenance text, new_events json, series text[], last_sequences bigint[], new_totals json, new_deliveries json
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  log_end bigint;
  told_by bigint;
BEGIN
  PERFORM hold_log();
  INSERT INTO endpoints (subscription)
  SELECT DISTINCT subscription FROM json_to_recordset(new_deliveries) AS row (subscription text) ORDER BY 1
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM endpoints
  WHERE subscription IN (SELECT subscription FROM json_to_recordset(new_deliveries) AS row (subscription text))
  ORDER BY subscription FOR NO KEY UPDATE;

  SELECT coalesce(max(ref), 0) INTO log_end FROM events;
  IF provenance IS NOT NULL THEN INSERT INTO sightings (told) VALUES (provenance) RETURNING ref INTO told_by; END IF;
  INSERT INTO events (ref, id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp,
    stored_at, not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
  SELECT log_end + place, id, account, sequence, type, resource, "subjectId", "subjectVersion", "previousEventId", timestamp,
    "storedAt", "notBefore", "notAfter", cause, told_by, "objectBody", "beforeBody", shipment, extras, changes, previous
  FROM json_to_recordset(new_events) AS row (place bigint, id text, account text, sequence bigint, type text, resource text,
    "subjectId" text, "subjectVersion" bigint, "previousEventId" text, timestamp bigint, "storedAt" bigint, "notBefore" bigint,
    "notAfter" bigint, cause text, "objectBody" bigint, "beforeBody" bigint, shipment text, extras text, changes text,
    previous text);
  UPDATE accounts SET last_sequence = row.sequence
  FROM unnest(series, last_sequences) AS row (account, sequence) WHERE accounts.account = row.account;

  INSERT INTO event_hours AS known (hour, account, type, amount)
  SELECT hour, account, type, sum(amount)
  FROM json_to_recordset(new_totals) AS row (hour bigint, account text, type text, amount bigint) GROUP BY 1, 2, 3
  ON CONFLICT (hour, account, type) DO UPDATE SET amount = known.amount + excluded.amount;
  INSERT INTO event_kinds (account, type, resource)
  SELECT account, type, resource FROM json_to_recordset(new_totals) AS row (account text, type text, resource text)
  ON CONFLICT DO NOTHING;
  INSERT INTO log_hours (hour, first)
  SELECT hour, log_end + min(first) FROM json_to_recordset(new_totals) AS row (hour bigint, first bigint) GROUP BY 1
  ON CONFLICT DO NOTHING;

  -- Born due, or held where the endpoint is not open; a test's is due there, too.
  INSERT INTO deliveries (id, event, subscription, lane, state, next_attempt_at, test, last_told)
  SELECT id, log_end + place, row.subscription, lane, CASE WHEN test = 1 OR is_open(endpoints) THEN 'pending' ELSE 'held' END,
    CASE WHEN test = 1 OR is_open(endpoints) THEN "dueAt" END, test, "lastTold"
  FROM json_to_recordset(new_deliveries) AS row (nth bigint, id text, place bigint, subscription text, lane bigint,
    "dueAt" bigint, test bigint, "lastTold" bigint) JOIN endpoints ON endpoints.subscription = row.subscription
  ORDER BY nth
  ON CONFLICT (event, subscription) DO NOTHING;
END $$;
