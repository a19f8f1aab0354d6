-- The last run of each subscription that sends it every known record.
CREATE TABLE snapshot_runs (
  subscription text COLLATE "C" PRIMARY KEY,
  run text COLLATE "C" NOT NULL,
  resource text COLLATE "C", -- whose records are sent; null: all that the subscription hears of
  begun_at bigint NOT NULL,
  ended_at bigint,
  cancelled_at bigint
);

-- How far its parts are: a part is there once a slice of it was sent. Each slice writes its part again: it fits the page that it was on.
CREATE TABLE snapshot_parts (
  subscription text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  last_id text COLLATE "C", -- the last record that was looked at
  sent bigint NOT NULL,
  left_out bigint NOT NULL,
  ended_at bigint,
  PRIMARY KEY (subscription, account, resource)
) WITH (fillfactor = 50);
