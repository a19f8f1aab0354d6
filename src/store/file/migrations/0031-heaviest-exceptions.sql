-- What is not well and still open, the heaviest and oldest first, and what of it somebody sees to.
CREATE INDEX exceptions_heaviest ON exceptions (account, severity, opened_at, ref) WHERE closed_at IS NULL;
CREATE INDEX exceptions_seen_to ON exceptions (account, opened_at, ref)
  WHERE acknowledged_at IS NOT NULL AND closed_at IS NULL;
