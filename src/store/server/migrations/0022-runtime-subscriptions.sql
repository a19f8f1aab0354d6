--! breaking
-- An older worker would take subscriptions that were made at run time out, because no file names them.
CREATE TABLE runtime_subscriptions (
  name text COLLATE "C" PRIMARY KEY,
  owner text,
  settings text NOT NULL,
  sealed text NOT NULL,
  ordered bigint NOT NULL,
  made_at bigint NOT NULL,
  renewed_at bigint NOT NULL,
  addressed_at bigint NOT NULL,
  verified_at bigint,
  disabled_by text,
  disabled_reason text,
  disabled_at bigint,
  ended_at bigint,
  revision bigint NOT NULL
);

CREATE TABLE runtime_revision (
  revision bigint NOT NULL,
  one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
INSERT INTO runtime_revision VALUES (0);
