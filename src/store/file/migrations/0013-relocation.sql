-- What the store knows of being copied to another place, or from one: a row at most (relocation.ts).
CREATE TABLE relocation (
  id TEXT PRIMARY KEY, -- of the copy: both stores have it
  other TEXT NOT NULL, -- where the other store is, for people
  state TEXT NOT NULL CHECK (state IN ('leaving', 'left', 'arriving'))
) STRICT, WITHOUT ROWID;
