-- Of a date change to a subscription with `min_shift`: the instant that it was told last, where that is not the one the date
-- changed from.
ALTER TABLE deliveries ADD COLUMN last_told INTEGER;
