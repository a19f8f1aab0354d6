--! breaking
-- Whoever writes rows passes on the turns of their lanes.
DROP TRIGGER deliveries_queued ON deliveries;
DROP TRIGGER deliveries_reopened ON deliveries;
DROP TRIGGER deliveries_yielded ON deliveries;
DROP TRIGGER deliveries_entered ON deliveries;
DROP TRIGGER deliveries_passed ON deliveries;
DROP TRIGGER claims_ended ON claims;
DROP FUNCTION queue_delivery, pass_turn, pass_lane, leave_lanes, is_claimed, is_open;

CREATE OR REPLACE FUNCTION hold_log_with(names text[]) RETURNS TABLE (last bigint, endpoints json) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_log();
  INSERT INTO endpoints (subscription) SELECT DISTINCT name FROM unnest(names) AS new (name) ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM 1 FROM endpoints WHERE subscription = ANY (names) ORDER BY subscription FOR NO KEY UPDATE;
  RETURN QUERY SELECT (SELECT coalesce(max(ref), 0) FROM events), (
    SELECT coalesce(json_agg(held), '[]') FROM (
      SELECT subscription, configured, enabled, disabled_at, ordered FROM endpoints WHERE subscription = ANY (names)
    ) AS held);
END $$;
