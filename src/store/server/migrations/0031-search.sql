-- What records are found by beside what names them: their carrier, their vessel, their ports (JSON); null: not looked at yet.
ALTER TABLE record_terms ADD COLUMN shared text;

-- Which parts of three characters the texts of a record have (`model/search-text.ts`), as numbers, by `records.ref`. Whatever it finds
-- is judged by `record_terms`.
CREATE TABLE search_index (
  record bigint PRIMARY KEY,
  grams integer[] NOT NULL
);
-- Whatever waits to be put into an inverted index is read through by each search: little of it.
CREATE INDEX search_index_grams ON search_index USING gin (grams) WITH (gin_pending_list_limit = 256);

-- Records that the index does not know as they are. Its rows go within seconds.
CREATE TABLE search_queue (
  record bigint PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

INSERT INTO search_queue SELECT record FROM record_terms;
