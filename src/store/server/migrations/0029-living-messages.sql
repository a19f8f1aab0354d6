-- Messages that are kept up to date: one for each subscription and shipment.
CREATE TABLE living_messages (
  subscription text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  shipment text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  ts text COLLATE "C", -- null: it is not there, or the answer that named it was lost
  posted_at bigint, -- since when one may be there whose answer is not known
  began_with text COLLATE "C" NOT NULL, -- ids of events, as JSON
  shown text COLLATE "C" NOT NULL, -- likewise
  sequence bigint NOT NULL,
  entry text COLLATE "C", -- the first event of the last entry that was begun in its thread
  told_at bigint NOT NULL,
  PRIMARY KEY (subscription, account, shipment)
) WITH (fillfactor = 70);
CREATE INDEX living_messages_told ON living_messages (told_at);
