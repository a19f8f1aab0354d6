-- What records are found by beside what names them: their carrier, their vessel, their ports (JSON); null: not looked at yet.
ALTER TABLE record_terms ADD COLUMN shared TEXT;

-- Which parts of three characters the texts of a record have (`model/search-text.ts`), by `records.ref`. Whatever it finds is judged
-- by `record_terms`, so that it keeps neither texts nor places.
CREATE VIRTUAL TABLE search_index USING fts5(
  document, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);

-- Records that the index does not know as they are.
CREATE TABLE search_queue (
  record INTEGER PRIMARY KEY
) STRICT;

INSERT INTO search_queue SELECT record FROM record_terms;
