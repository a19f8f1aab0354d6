-- The first schema. Instants are milliseconds since the Unix epoch. Wide columns come last, so that a scan that does not
-- need them does not read them.

PRAGMA application_id = 1397244492; -- "SHBL": tells a Shipbell store from other SQLite files

-- JSON documents, each stored once and never changed. Who points at them is counted, and not told by foreign keys: those
-- would need an index of each of the four columns that do. `codec` says how `content` is to be read: 0 is JSON text in UTF-8,
-- 1 the same compressed (body-codec.ts).
CREATE TABLE bodies (
  ref INTEGER PRIMARY KEY,
  uses INTEGER NOT NULL, -- how many records and events point at it: one that nothing points at is dropped
  codec INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;

-- `last_sequence` numbers the events of an account; the row named '' numbers those of no account.
CREATE TABLE accounts (
  account TEXT PRIMARY KEY,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  calendar TEXT, -- what its calendar was last judged by
  pause TEXT, -- JSON: how long its platform is left alone, and why; null: it is not
  ceiling TEXT, -- JSON: what of its budget its key bears; null: all of it
  rhythm TEXT -- JSON: when in the week its data changes, as far as was learnt; null: nothing was
) STRICT, WITHOUT ROWID;

-- How many requests each account sent in each minute (minutes since the Unix epoch), and what its budget was then.
CREATE TABLE requests (
  account TEXT NOT NULL REFERENCES accounts,
  minute INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  budget_per_hour INTEGER NOT NULL,
  PRIMARY KEY (account, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE lists (
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  pass INTEGER NOT NULL,
  pass_started_at INTEGER,
  completed_at INTEGER,
  baselined_at INTEGER,
  largest_page INTEGER NOT NULL,
  shipment_id_field TEXT,
  baseline_pass INTEGER, -- the pass that was the baseline
  fetch_works INTEGER NOT NULL DEFAULT 0, -- whether a fetch by id ever showed a record
  absorbed TEXT NOT NULL DEFAULT '[]', -- JSON: paths of fields outside the interface whose first value is silent
  twins TEXT NOT NULL DEFAULT '[]', -- JSON: ids that the last complete passes met with different records
  churning TEXT NOT NULL DEFAULT '[]', -- JSON: paths that were reported to change on most reads
  PRIMARY KEY (account, resource)
) STRICT, WITHOUT ROWID;

-- Removals that a pass would have made and that are not believed, one row for each list.
CREATE TABLE holds (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL,
  known INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  sample TEXT NOT NULL, -- JSON: some of the ids
  verdict TEXT, -- 'accept' or 'reject', by command
  quiet_passes INTEGER NOT NULL, -- after a rejection: how many more such passes until it rings anew
  PRIMARY KEY (account, resource),
  FOREIGN KEY (account, resource) REFERENCES lists (account, resource)
) STRICT, WITHOUT ROWID;

-- Records that could not be understood and rang for it, until they can be; a record without an id has the id ''.
CREATE TABLE rejections (
  ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  via TEXT NOT NULL, -- 'list' or 'item': a row of its list, or a fetch by id
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  UNIQUE (account, resource, via, id, reason)
) STRICT;

CREATE TABLE records (
  ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  seen_body INTEGER, -- in bodies
  reported_body INTEGER, -- in bodies
  -- Version of the rules that wrote the row. Bodies are kept as they were sent and both sides of a comparison are read by
  -- the rules of the day, so that an upgrade of the rules never rings.
  normaliser INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL,
  last_event_id TEXT,
  at_baseline INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  closed_at INTEGER,
  phase TEXT, -- of a shipment: where it is on its way
  phase_until INTEGER, -- when time alone brings its next phase
  removed_at INTEGER, -- a tombstone: the bodies are the record as it was last seen
  next_edge_at INTEGER, -- when its calendar has to look at it next
  settles_at INTEGER, -- when the first of its estimates that wait has waited for long enough
  memory TEXT NOT NULL, -- JSON
  UNIQUE (account, resource, id)
) STRICT;

CREATE INDEX records_edges ON records (account, next_edge_at, resource, id)
  WHERE next_edge_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX records_settling ON records (account, settles_at, resource, id)
  WHERE settles_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX records_tracked ON records (account, closed_at, id) WHERE resource = 'shipment' AND removed_at IS NULL;

-- The pages of each list that hold records, and their last answers: an unchanged page costs one small update here.
CREATE TABLE pages (
  ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  skip INTEGER NOT NULL,
  rows INTEGER NOT NULL, -- received, good or bad
  sent_at INTEGER NOT NULL,
  answered_at INTEGER NOT NULL,
  pass INTEGER NOT NULL, -- the last pass of its list that read it; 0: none did
  -- Of the body; null unless it showed just the records that are on this page, each as it is known and none missed.
  digest TEXT,
  etag TEXT,
  print TEXT NOT NULL, -- the same for pages of the same rows
  rules TEXT NOT NULL, -- by what it was judged
  certain_id_field TEXT, -- what identifies its shipments, where nothing else on them could be taken for it
  UNIQUE (account, resource, skip)
) STRICT;

-- What every read moves, apart from the records: an unchanged record costs one small update here and reads no body.
-- Of a record on a page the page tells when it was last read and by which pass (if that is the later one); misses are 0.
CREATE TABLE reads (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  fingerprint TEXT,
  sent_at INTEGER NOT NULL,
  answered_at INTEGER NOT NULL,
  pass INTEGER NOT NULL, -- the last pass of its list that met the record
  misses INTEGER DEFAULT 0, -- reads in a row that should have shown it and did not; null: the record is removed
  page INTEGER, -- of its list, where it was last met; null: on none
  etag TEXT, -- of the last answer, where the record is read by its id
  PRIMARY KEY (account, resource, id),
  FOREIGN KEY (account, resource, id) REFERENCES records (account, resource, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Holds what the records that a pass did not meet are found by.
CREATE INDEX reads_page ON reads (account, resource, page, pass, misses) WHERE misses IS NOT NULL;

-- What polling learnt of how often things change; without it reads are less fresh, and nothing else.
CREATE TABLE learnt (
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  what TEXT NOT NULL, -- 'page' (name: its skip), 'item' (its id) or 'kind'
  name TEXT NOT NULL,
  changes REAL NOT NULL, -- seen, older ones counting less
  expected REAL NOT NULL, -- by the rates of its kind, counted alike
  at INTEGER NOT NULL,
  mix TEXT, -- JSON: how many rows of each kind a page held
  PRIMARY KEY (account, resource, what, name)
) STRICT, WITHOUT ROWID;

-- How events came to be known: one row for all events of a commit.
CREATE TABLE sightings (
  ref INTEGER PRIMARY KEY,
  told TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE events (
  ref INTEGER PRIMARY KEY, -- increases in the order of storing, over all accounts
  id TEXT NOT NULL UNIQUE,
  account TEXT,
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  resource TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subject_version INTEGER NOT NULL,
  previous_event_id TEXT,
  timestamp INTEGER NOT NULL,
  stored_at INTEGER NOT NULL, -- when it rang: what was known before, but held, is younger than its timestamp
  not_before INTEGER,
  not_after INTEGER, -- null: the event was not observed by reads
  cause TEXT NOT NULL,
  sighting INTEGER REFERENCES sightings,
  expired_at INTEGER, -- when its payload expired: what it showed and told is gone, the row stays
  object_body INTEGER, -- in bodies
  before_body INTEGER, -- in bodies
  shipment TEXT, -- JSON
  extras TEXT NOT NULL, -- JSON
  changes TEXT -- JSON
) STRICT;

CREATE UNIQUE INDEX events_sequence ON events (ifnull(account, ''), sequence);
CREATE INDEX events_time ON events (stored_at);
CREATE INDEX events_kept ON events (stored_at) WHERE expired_at IS NULL;
CREATE INDEX events_subject ON events (subject_id, stored_at);

-- Every subscription ever configured or sent to. It is open, and its rows may be pending, while it is configured, enabled
-- in the file and not disabled; otherwise its rows are held.
CREATE TABLE endpoints (
  subscription TEXT PRIMARY KEY,
  configured INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 0, -- in the file
  disabled_reason TEXT,
  disabled_at INTEGER,
  disabled_by TEXT CHECK (disabled_by IN ('command', 'gone', 'failing')),
  ordered INTEGER NOT NULL DEFAULT 0, -- in the file: `order: subject`
  -- How its attempts went, but for tests. A success ends what failed before it; a command that enables starts the count anew.
  failures_in_row INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  exhausted_since INTEGER, -- when a last retry first failed since
  last_failure_at INTEGER,
  last_success_at INTEGER,
  last_error TEXT -- null: the last attempt succeeded
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
  ref INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event INTEGER NOT NULL REFERENCES events,
  subscription TEXT NOT NULL REFERENCES endpoints,
  lane INTEGER NOT NULL, -- stands for the account and subject of the event
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'exhausted', 'held', 'discarded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  round INTEGER NOT NULL DEFAULT 0, -- attempts since the row was made, released or retried by command
  next_attempt_at INTEGER, -- null unless pending
  claimed_by TEXT,
  wake_at INTEGER, -- of a pending row: null when it can be claimed, else when that will be: its retry, or the claim's end
  -- Of an open row of an ordered subscription: 1 when it is its turn, 0 while it waits for another row of its lane; else
  -- null. A row is open while it is pending, held or claimed.
  turn INTEGER,
  last_status INTEGER,
  finished_at INTEGER, -- null while it is pending or held
  test INTEGER NOT NULL DEFAULT 0, -- of a test event: sent also where the endpoint is shut, in no tally
  last_error TEXT,
  UNIQUE (event, subscription)
) STRICT;

CREATE INDEX deliveries_state ON deliveries (state, subscription, event);
CREATE INDEX deliveries_ready ON deliveries (subscription, event)
  WHERE state = 'pending' AND wake_at IS NULL AND turn IS NOT 0;
-- Tests are few, and somebody waits for them: they are found behind any backlog.
CREATE INDEX deliveries_tests ON deliveries (subscription, event)
  WHERE state = 'pending' AND wake_at IS NULL AND turn IS NOT 0 AND test = 1;
CREATE INDEX deliveries_waiting ON deliveries (subscription, wake_at)
  WHERE state = 'pending' AND wake_at IS NOT NULL AND turn IS NOT 0;
-- The first of a lane is whose turn it is.
CREATE INDEX deliveries_queue ON deliveries (subscription, lane, claimed_by IS NULL, event) WHERE turn IS NOT NULL;
CREATE UNIQUE INDEX deliveries_turn ON deliveries (subscription, lane) WHERE turn = 1;

-- Turns are kept by the triggers below, whatever moves a row: in each lane of an ordered subscription exactly one open row
-- has the turn. It is the one that is claimed, so that two of a lane are never under way at once, else the oldest.
CREATE TRIGGER deliveries_queued AFTER INSERT ON deliveries
WHEN new.state IN ('pending', 'held')
  AND (SELECT ordered FROM endpoints WHERE subscription = new.subscription) = 1
BEGIN
  UPDATE deliveries SET turn = 0 WHERE ref = new.ref;
END;

CREATE TRIGGER deliveries_reopened AFTER UPDATE OF state ON deliveries
WHEN new.turn IS NULL AND new.state IN ('pending', 'held') AND old.state NOT IN ('pending', 'held')
  AND (SELECT ordered FROM endpoints WHERE subscription = new.subscription) = 1
BEGIN
  UPDATE deliveries SET turn = 0 WHERE ref = new.ref;
END;

CREATE TRIGGER deliveries_yielded AFTER UPDATE OF state, claimed_by ON deliveries
WHEN new.turn IS NOT NULL AND new.claimed_by IS NULL
  AND (old.claimed_by IS NOT NULL OR new.state NOT IN ('pending', 'held'))
BEGIN
  UPDATE deliveries SET turn = CASE WHEN new.state IN ('pending', 'held') THEN turn END WHERE ref = new.ref;
END;

CREATE TRIGGER deliveries_passed AFTER UPDATE OF turn ON deliveries
BEGIN
  UPDATE deliveries SET turn = 0
  WHERE subscription = new.subscription AND lane = new.lane AND turn = 1
    AND ref <> (
      SELECT ref FROM deliveries INDEXED BY deliveries_queue
      WHERE subscription = new.subscription AND lane = new.lane AND turn IS NOT NULL
      ORDER BY claimed_by IS NULL, event LIMIT 1
    );
  UPDATE deliveries SET turn = 1
  WHERE turn = 0
    AND ref = (
      SELECT ref FROM deliveries INDEXED BY deliveries_queue
      WHERE subscription = new.subscription AND lane = new.lane AND turn IS NOT NULL
      ORDER BY claimed_by IS NULL, event LIMIT 1
    );
END;

-- For subscriptions with a `min_shift`: the value of a subject's date that its next change is compared with.
CREATE TABLE notified_dates (
  account TEXT NOT NULL REFERENCES accounts,
  resource TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subscription TEXT NOT NULL,
  date TEXT NOT NULL, -- a milestone, or 'due'
  instant INTEGER, -- null: there was no date
  version INTEGER NOT NULL, -- the subject's version that told it
  PRIMARY KEY (account, resource, subject_id, subscription, date)
) STRICT, WITHOUT ROWID;

-- Rows per subscription and state but for tests, kept by the triggers below: the ledger grows for as long as it is kept, and an
-- overview must not count it.
CREATE TABLE tallies (
  subscription TEXT NOT NULL,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (subscription, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries WHEN new.test = 0
BEGIN
  INSERT INTO tallies VALUES (new.subscription, new.state, 1) ON CONFLICT DO UPDATE SET amount = amount + 1;
END;

CREATE TRIGGER deliveries_moved AFTER UPDATE OF state ON deliveries WHEN old.state <> new.state AND new.test = 0
BEGIN
  UPDATE tallies SET amount = amount - 1 WHERE subscription = old.subscription AND state = old.state;
  INSERT INTO tallies VALUES (new.subscription, new.state, 1) ON CONFLICT DO UPDATE SET amount = amount + 1;
END;

CREATE TRIGGER deliveries_dropped AFTER DELETE ON deliveries WHEN old.test = 0
BEGIN
  UPDATE tallies SET amount = amount - 1 WHERE subscription = old.subscription AND state = old.state;
END;

-- Addresses that asked to be left alone. `address` is a hash: an address may be a secret.
CREATE TABLE rests (
  address TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  ref INTEGER PRIMARY KEY,
  delivery INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  answer TEXT
) STRICT;

CREATE INDEX attempts_of ON attempts (delivery);

-- One row, written to learn whether a write succeeds.
CREATE TABLE liveness (
  checks INTEGER NOT NULL
) STRICT;

INSERT INTO liveness VALUES (0);
