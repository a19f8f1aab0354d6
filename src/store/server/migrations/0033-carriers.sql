-- Shipments of a carrier are found whatever the case of its letters.
DROP INDEX records_carrier;
CREATE INDEX records_carrier ON records (account, lower(carrier)) WHERE carrier IS NOT NULL;
