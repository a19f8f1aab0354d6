-- When the last complete pass over a list started, of those before the one that goes on: up to then it is known to have been read whole.
ALTER TABLE lists ADD COLUMN complete_from bigint; -- null: none is known of
