-- When an invoice falls due that has yet to be paid. It follows from its body and is written with it; a store that exists is
-- filled by code.

ALTER TABLE records ADD COLUMN due_day INTEGER; -- since the Unix epoch

CREATE INDEX records_due ON records (account, due_day) WHERE due_day IS NOT NULL AND removed_at IS NULL;

INSERT INTO unfilled VALUES ('due');

-- Sessions of the admin interface that were signed out before they expired.
CREATE TABLE ended_sessions (
  id TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
