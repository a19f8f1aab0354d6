-- Records that passes miss while a fetch by id proves nothing: removals that wait for a person, apart from those of their list.
CREATE TABLE unproved (
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  since INTEGER NOT NULL, -- when it rang
  verdict TEXT, -- accept, reject
  PRIMARY KEY (account, resource, id)
) STRICT, WITHOUT ROWID;
