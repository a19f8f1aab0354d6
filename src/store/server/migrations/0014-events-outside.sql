--! breaking
-- Events, and what is counted of them, are written by statements. Here is what takes several snapshots within one call: the end of
-- the log is seen once the log is held, and endpoints are held behind it.
DROP FUNCTION store_events;
CREATE FUNCTION hold_log_with(names text[]) RETURNS TABLE (last bigint, endpoints json) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_log();
  INSERT INTO endpoints (subscription) SELECT DISTINCT name FROM unnest(names) AS new (name) ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM 1 FROM endpoints WHERE subscription = ANY (names) ORDER BY subscription FOR NO KEY UPDATE;
  RETURN QUERY SELECT (SELECT coalesce(max(ref), 0) FROM events), (
    SELECT coalesce(json_agg(held), '[]') FROM (
      SELECT subscription, configured, enabled, disabled_at FROM endpoints WHERE subscription = ANY (names)
    ) AS held);
END $$;

DROP TRIGGER events_spanned ON events;
DROP TRIGGER events_expired ON events;
DROP TRIGGER events_dropped ON events;
DROP FUNCTION span_events_added, span_event_expired, span_events_dropped;
