CREATE TABLE topics (
  account text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  settings text NOT NULL,
  PRIMARY KEY (account, topic)
);

-- Notes are written and dropped all the time: they fit the page that they were on.
CREATE TABLE notes (
  account text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  fresh bigint NOT NULL,
  because text COLLATE "C",
  PRIMARY KEY (account, topic, resource, id)
) WITH (fillfactor = 80);

CREATE TABLE links (
  account text COLLATE "C" NOT NULL,
  shipment text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, shipment, resource, id)
);
