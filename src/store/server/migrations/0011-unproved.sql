-- Records that passes miss while a fetch by id proves nothing: removals that wait for a person, apart from those of their list.
CREATE TABLE unproved (
  account text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  since bigint NOT NULL, -- when it rang
  verdict text, -- accept, reject
  PRIMARY KEY (account, resource, id)
);
