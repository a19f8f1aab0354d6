-- The last run of each subscription that sends it every known record.
CREATE TABLE snapshot_runs (
  subscription TEXT NOT NULL PRIMARY KEY,
  run TEXT NOT NULL,
  resource TEXT, -- whose records are sent; null: all that the subscription hears of
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  cancelled_at INTEGER
) STRICT, WITHOUT ROWID;

-- How far its parts are: a part is there once a slice of it was sent.
CREATE TABLE snapshot_parts (
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  last_id TEXT, -- the last record that was looked at
  sent INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (subscription, account, resource)
) STRICT, WITHOUT ROWID;
