-- The processes that share this store, and what one of them alone may do. Instants are the database's own, in milliseconds.

CREATE FUNCTION database_time() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL RESTRICTED AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Whoever is not in it, is dead. A dead worker does not come back under its id.
CREATE TABLE workers (
  id text COLLATE "C" PRIMARY KEY,
  host text NOT NULL,
  pid bigint NOT NULL,
  command text NOT NULL,
  version text NOT NULL,
  port bigint,
  config text COLLATE "C" NOT NULL,
  settings text NOT NULL, -- JSON: digests of subscriptions' settings by name
  loaded_at bigint NOT NULL,
  since bigint NOT NULL,
  ttl_ms bigint NOT NULL,
  expires_at bigint NOT NULL
) WITH (fillfactor = 50);

-- A clock that was set back must not make anybody immortal.
CREATE FUNCTION has_expired(workers) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT $1.expires_at <= database_time() OR $1.expires_at > database_time() + 2 * $1.ttl_ms
$$;

-- One row: the configuration whose subscriptions `endpoints` has, or is about to have.
CREATE TABLE in_force (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  config text COLLATE "C" NOT NULL
);

CREATE SEQUENCE lease_epochs;

CREATE TABLE leases (
  unit text COLLATE "C" PRIMARY KEY,
  accounts text NOT NULL DEFAULT '[]', -- JSON: their names
  worker text COLLATE "C" REFERENCES workers ON DELETE SET NULL,
  epoch bigint NOT NULL DEFAULT 0, -- of all units: one that was forgotten and comes again has another
  given_back boolean NOT NULL DEFAULT true -- false, of one that nobody holds: its holder expired
) WITH (fillfactor = 50);
CREATE INDEX leases_of ON leases (worker) WHERE worker IS NOT NULL;

-- Requests of the last minutes, some seconds together: whoever takes over need not take them for younger than they are.
CREATE TABLE sends (
  account text COLLATE "C" NOT NULL,
  since bigint NOT NULL, -- the beginning of these seconds
  amount bigint NOT NULL,
  PRIMARY KEY (account, since)
) WITH (fillfactor = 50);

-- What the store knows of being copied to another place, or from one: a row at most (relocation.ts).
CREATE TABLE relocation (
  id text COLLATE "C" PRIMARY KEY,
  other text NOT NULL, -- where the other store is, for people
  state text COLLATE "C" NOT NULL CHECK (state IN ('leaving', 'left', 'arriving'))
);

-- Of each table of a store that was moved: whoever had it open before writes to it no more.
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SB001', MESSAGE = 'moved to ' || (SELECT other FROM relocation);
END $$;
