--! breaking
-- The rows of a subscription are numbered from 1 in the order in which they are committed: whoever gets them sees that one is missing.
-- An older worker would number none.
ALTER TABLE deliveries ADD COLUMN position bigint; -- null: a test's, or made before rows were numbered
CREATE INDEX deliveries_position ON deliveries (subscription, position) WHERE position IS NOT NULL;

-- What the numbers belong to: another text once they may be those of other rows.
ALTER TABLE endpoints ADD COLUMN series text COLLATE "C" NOT NULL DEFAULT left(md5(random()::text), 8);
-- The newest number among the rows that were dropped: numbers go on behind it.
ALTER TABLE endpoints ADD COLUMN dropped_position bigint NOT NULL DEFAULT 0;
-- Every row up to this number has ended, as far as anybody has looked.
ALTER TABLE endpoints ADD COLUMN ended_position bigint NOT NULL DEFAULT 0;

-- One row: which life of which database the series were last named in.
CREATE TABLE series_life (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  life text COLLATE "C" NOT NULL
);

-- The end of the log is seen once the log is held, and endpoints are held behind it, with the newest numbers of their rows.
CREATE OR REPLACE FUNCTION hold_log_with(names text[]) RETURNS TABLE (last bigint, endpoints json) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_log();
  INSERT INTO endpoints (subscription) SELECT DISTINCT name FROM unnest(names) AS new (name) ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM 1 FROM endpoints WHERE subscription = ANY (names) ORDER BY subscription FOR NO KEY UPDATE;
  RETURN QUERY SELECT (SELECT coalesce(max(ref), 0) FROM events), (
    SELECT coalesce(json_agg(held), '[]') FROM (
      SELECT subscription, configured, enabled, disabled_at, ordered, dropped_position, (
        SELECT position FROM deliveries WHERE deliveries.subscription = endpoint.subscription AND position IS NOT NULL
        ORDER BY position DESC LIMIT 1) AS kept_position
      FROM endpoints AS endpoint WHERE subscription = ANY (names)
    ) AS held);
END $$;
