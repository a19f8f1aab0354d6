-- Subscriptions that were made at run time, and the names of those that ended for as long as the ledger has rows of them.
CREATE TABLE runtime_subscriptions (
  name TEXT NOT NULL PRIMARY KEY,
  owner TEXT, -- the narrower token that made it; NULL: one that may do everything
  settings TEXT NOT NULL, -- its keys that are no secret, as JSON
  sealed TEXT NOT NULL, -- its address, headers and secrets, encrypted and bound to its name; empty: it has ended
  ordered INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL,
  addressed_at INTEGER NOT NULL, -- since when its address is what it is
  verified_at INTEGER, -- when a test was first answered there
  disabled_by TEXT,
  disabled_reason TEXT,
  disabled_at INTEGER,
  ended_at INTEGER,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The number of the last change of any: who follows them looks here.
CREATE TABLE runtime_revision (
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO runtime_revision VALUES (0);
