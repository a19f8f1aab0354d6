-- What samples of a list came to that were fetched by id and compared with it, in JSON; null: there was none.
ALTER TABLE lists ADD COLUMN audit TEXT;
