-- The rows of a subscription are numbered from 1 in the order in which they are committed: whoever gets them sees that one is missing.
ALTER TABLE deliveries ADD COLUMN position INTEGER; -- null: a test's, or made before rows were numbered
CREATE INDEX deliveries_position ON deliveries (subscription, position) WHERE position IS NOT NULL;

-- What the numbers belong to: another text once they may be those of other rows.
ALTER TABLE endpoints ADD COLUMN series TEXT NOT NULL DEFAULT '';
-- The newest number among the rows that were dropped: numbers go on behind it.
ALTER TABLE endpoints ADD COLUMN dropped_position INTEGER NOT NULL DEFAULT 0;
-- Every row up to this number has ended, as far as anybody has looked.
ALTER TABLE endpoints ADD COLUMN ended_position INTEGER NOT NULL DEFAULT 0;
UPDATE endpoints SET series = lower(hex(randomblob(4)));

CREATE TRIGGER endpoints_named AFTER INSERT ON endpoints WHEN new.series = ''
BEGIN
  UPDATE endpoints SET series = lower(hex(randomblob(4))) WHERE subscription = new.subscription;
END;
