-- What passes over a list leave out: places whose rows cannot be read, and passes in a row that were not complete. JSON; see ListGaps.
ALTER TABLE lists ADD COLUMN gaps text NOT NULL DEFAULT '{}';
