--! breaking
-- Counts how many more rows, or fewer, point at documents, and drops those that nothing needs any more: one that nothing points at
-- stays for as long as a delta needs it, and the last one takes it along. Of two at once that release the last things that hold a
-- base, the second waits for the first, and then sees what it did: each step sees what was committed until it began, which takes
-- statements behind each other while all rows are held. One by one, because what the planner joins may be all deltas that there are.
CREATE FUNCTION use_documents(refs bigint[], changes bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bases bigint[];
BEGIN
  UPDATE bodies SET uses = uses + change FROM unnest(refs, changes) AS use (of, change) WHERE ref = of;
  WITH gone AS (
    DELETE FROM bodies
    WHERE ref = ANY (refs) AND uses = 0 AND (SELECT 1 FROM bodies AS delta WHERE delta.base = bodies.ref LIMIT 1) IS NULL
    RETURNING base
  )
  SELECT array_agg(base) INTO bases FROM gone WHERE base IS NOT NULL;
  IF bases IS NULL THEN RETURN; END IF;
  PERFORM 1 FROM bodies WHERE ref = ANY (bases) ORDER BY ref FOR UPDATE;
  DELETE FROM bodies
  WHERE ref = ANY (bases) AND uses = 0 AND (SELECT 1 FROM bodies AS delta WHERE delta.base = bodies.ref LIMIT 1) IS NULL;
END $$;

DROP TRIGGER bodies_unused ON bodies;
DROP TRIGGER bodies_dropped ON bodies;
DROP FUNCTION drop_unused_body, drop_unused_base;
