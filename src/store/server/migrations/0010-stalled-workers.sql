-- What of a worker's work does not come through in the store, for people; null: all does.
ALTER TABLE workers ADD COLUMN stalled text COLLATE "C";
