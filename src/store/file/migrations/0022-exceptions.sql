-- What is not well: opened and closed by the events of commits, or in silence with what a read shows.
CREATE TABLE exceptions (
  ref INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  type TEXT NOT NULL, -- of the event that opens it
  milestone TEXT NOT NULL, -- '': it is of none
  expectation TEXT NOT NULL, -- '': it is of none
  severity TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  event TEXT, -- what opened it; NULL: it was opened in silence
  told TEXT, -- what that event says beside its record, for reminders
  ends_at INTEGER, -- when it closes by itself
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  acknowledged_until INTEGER,
  note TEXT,
  closed_at INTEGER,
  closed_by TEXT -- an event, or a reason
) STRICT;
CREATE UNIQUE INDEX exceptions_open
  ON exceptions (account, resource, subject_id, type, milestone, expectation) WHERE closed_at IS NULL;
CREATE INDEX exceptions_list ON exceptions (opened_at, ref);
CREATE INDEX exceptions_standing ON exceptions (opened_at, ref) WHERE closed_at IS NULL;
CREATE INDEX exceptions_subject ON exceptions (subject_id, opened_at, ref);
CREATE INDEX exceptions_ending ON exceptions (account, ends_at) WHERE ends_at IS NOT NULL AND closed_at IS NULL;
CREATE INDEX exceptions_closed ON exceptions (closed_at) WHERE closed_at IS NOT NULL;

-- When an open exception is told again to a subscription that was sent the event that opened it.
CREATE TABLE reminders (
  exception INTEGER NOT NULL REFERENCES exceptions (ref),
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  number INTEGER NOT NULL, -- of those that were sent
  due_at INTEGER NOT NULL,
  PRIMARY KEY (exception, subscription)
) STRICT, WITHOUT ROWID;
CREATE INDEX reminders_due ON reminders (account, due_at);
