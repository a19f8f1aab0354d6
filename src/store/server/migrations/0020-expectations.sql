--! breaking
-- An older worker would not write when records changed.
ALTER TABLE records ADD COLUMN changed_at bigint;

CREATE TABLE expectation_rules (
  account text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  digest text NOT NULL,
  generation bigint NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (account, name)
);

CREATE TABLE expectations (
  account text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  gone bigint NOT NULL,
  states text NOT NULL,
  failures text,
  due_at bigint,
  PRIMARY KEY (account, resource, id)
) WITH (fillfactor = 80);
CREATE INDEX expectations_due ON expectations (account, due_at, resource, id) WHERE due_at IS NOT NULL;
CREATE INDEX expectations_failing ON expectations (account, resource, id) WHERE failures IS NOT NULL;
