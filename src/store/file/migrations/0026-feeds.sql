-- How long rows of a subscription wait to be taken from its feed, in milliseconds; null: they are sent.
ALTER TABLE endpoints ADD COLUMN keep_ms INTEGER;
-- When its next watermark is due; null: it has had none.
ALTER TABLE endpoints ADD COLUMN watermark_at INTEGER;
