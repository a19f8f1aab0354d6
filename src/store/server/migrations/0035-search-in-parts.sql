-- What is found in one part of all records after the other, the newest first: PostgreSQL cannot tell what many have from what few have.
-- The number of a record's part stands among its parts of texts, beyond those of them that are ASCII.
DROP INDEX search_index_grams;
CREATE INDEX search_index_grams ON search_index USING gin (array_append(grams, ((record >> 12) + 4194304)::integer))
  WITH (gin_pending_list_limit = 256);
