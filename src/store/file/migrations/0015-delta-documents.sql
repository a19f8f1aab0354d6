-- A document may be packed against another one, its base (codec 2), which is never packed so itself. `uses` says nothing of it: to
-- count there would write the base anew with each version of its record. The base goes with the last of what needs it.
ALTER TABLE bodies ADD COLUMN base INTEGER; -- in bodies; null: it is read with nothing else

CREATE INDEX bodies_base ON bodies (base) WHERE base IS NOT NULL;

CREATE TRIGGER bodies_dropped AFTER DELETE ON bodies
WHEN old.base IS NOT NULL
BEGIN
  DELETE FROM bodies
  WHERE ref = old.base AND uses = 0 AND NOT EXISTS (SELECT 1 FROM bodies AS delta WHERE delta.base = old.base);
END;
