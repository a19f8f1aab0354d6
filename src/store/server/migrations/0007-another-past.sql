-- Every table has a primary key: where all of them are published, rows of one without cannot be updated.
ALTER TABLE steady_time ADD COLUMN one boolean PRIMARY KEY DEFAULT true CHECK (one);
ALTER TABLE ledger_begin ADD COLUMN one boolean PRIMARY KEY DEFAULT true CHECK (one);

-- What an event is, whatever its number: a standby that was promoted without the last commits gives numbers again. Looked up as of now,
-- as it may have been stored after the statement began.
CREATE FUNCTION event_identity(of bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', id, account, sequence, stored_at) FROM events WHERE ref = of);
END $$;
