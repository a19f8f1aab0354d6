--! breaking
-- How long rows of a subscription wait to be taken from its feed, in milliseconds; null: they are sent. An older worker would take them
-- for undelivered.
ALTER TABLE endpoints ADD COLUMN keep_ms bigint;
-- When its next watermark is due; null: it has had none.
ALTER TABLE endpoints ADD COLUMN watermark_at bigint;
