-- Rows that failed when they were brought forward, by when they may be once more.
CREATE INDEX deliveries_forwarded ON deliveries (subscription, not_before)
  WHERE state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND turn IS NOT 0 AND resumes_at IS NOT NULL;
