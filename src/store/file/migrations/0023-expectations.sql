-- When a read last showed a record changed, or first showed it; NULL: nothing was written of the record since, or nothing was shown.
ALTER TABLE records ADD COLUMN changed_at INTEGER;

-- The rules of an account, and since when they are as they are.
CREATE TABLE expectation_rules (
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  generation INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;

-- Where the expectations of a record stand.
CREATE TABLE expectations (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  generation INTEGER NOT NULL, -- of the rules that it was judged by
  gone INTEGER NOT NULL, -- 1: the record was removed
  states TEXT NOT NULL, -- by rule, as JSON
  failures TEXT, -- why rules cannot be judged, by rule, as JSON
  due_at INTEGER, -- when it is judged again although nothing moves
  PRIMARY KEY (account, resource, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX expectations_due ON expectations (account, due_at, resource, id) WHERE due_at IS NOT NULL;
CREATE INDEX expectations_failing ON expectations (account, resource, id) WHERE failures IS NOT NULL;
