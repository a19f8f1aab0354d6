-- Where lists end, and whether their ETags tell the truth. No list of an older store was probed: its next pass does that.

ALTER TABLE lists ADD COLUMN end_probed_at INTEGER; -- when a request beyond its end last found nothing; null: none did
ALTER TABLE lists ADD COLUMN end_skip INTEGER; -- where that was
ALTER TABLE lists ADD COLUMN lying_validators INTEGER NOT NULL DEFAULT 0; -- whether bytes differed under one ETag
