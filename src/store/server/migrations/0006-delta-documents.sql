--! breaking
-- A document may be packed against another one, its base (codec 2), which is never packed so itself. `uses` says nothing of it: to
-- count there would write the base anew with each version of its record. The base goes with the last of what needs it.
-- Workers of the version before cannot read such a document.
ALTER TABLE bodies ADD COLUMN base bigint; -- in bodies; null: it is read with nothing else

CREATE INDEX bodies_base ON bodies (base) WHERE base IS NOT NULL;

CREATE OR REPLACE FUNCTION drop_unused_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM bodies
  WHERE ref = new.ref AND uses = 0 AND NOT EXISTS (SELECT 1 FROM bodies AS delta WHERE delta.base = new.ref);
  RETURN NULL;
END $$;

-- Of two at once that drop, or no longer use, the last things that hold a base, the second waits for the first, and then sees what it did.
CREATE FUNCTION drop_unused_base() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM bodies WHERE ref = old.base FOR UPDATE;
  DELETE FROM bodies
  WHERE ref = old.base AND uses = 0 AND NOT EXISTS (SELECT 1 FROM bodies AS delta WHERE delta.base = old.base);
  RETURN NULL;
END $$;
CREATE TRIGGER bodies_dropped AFTER DELETE ON bodies
  FOR EACH ROW WHEN (old.base IS NOT NULL) EXECUTE FUNCTION drop_unused_base();
