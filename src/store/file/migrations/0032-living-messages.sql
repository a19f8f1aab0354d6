-- Messages that are kept up to date: one for each subscription and shipment.
CREATE TABLE living_messages (
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  shipment TEXT NOT NULL,
  channel TEXT NOT NULL,
  ts TEXT, -- null: it is not there, or the answer that named it was lost
  posted_at INTEGER, -- since when one may be there whose answer is not known
  began_with TEXT NOT NULL, -- ids of events, as JSON
  shown TEXT NOT NULL, -- likewise
  sequence INTEGER NOT NULL,
  entry TEXT, -- the first event of the last entry that was begun in its thread
  told_at INTEGER NOT NULL,
  PRIMARY KEY (subscription, account, shipment)
) STRICT, WITHOUT ROWID;
CREATE INDEX living_messages_told ON living_messages (told_at);
