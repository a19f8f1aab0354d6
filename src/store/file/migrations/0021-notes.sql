-- What is derived of several records of an account: the topics that have begun, and the settings that they began with.
CREATE TABLE topics (
  account TEXT NOT NULL,
  topic TEXT NOT NULL,
  settings TEXT NOT NULL,
  PRIMARY KEY (account, topic)
) STRICT, WITHOUT ROWID;

-- Records that moved and that a topic has yet to take up.
CREATE TABLE notes (
  account TEXT NOT NULL,
  topic TEXT NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  number INTEGER NOT NULL, -- grows with each move
  fresh INTEGER NOT NULL, -- 1: the record came after the topic began
  because TEXT, -- the newest event that says what moved
  PRIMARY KEY (account, topic, resource, id)
) STRICT, WITHOUT ROWID;

-- Records by the shipments that they belong to, as their topics linked them.
CREATE TABLE links (
  account TEXT NOT NULL,
  shipment TEXT NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (account, shipment, resource, id)
) STRICT, WITHOUT ROWID;
