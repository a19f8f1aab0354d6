-- What lists of records are sorted and narrowed by. It follows from the content and the memory of a record, and is written with
-- them; records of before are listed in slices while the store works (-1: not yet), and nothing rings.
ALTER TABLE records ADD COLUMN ending INTEGER NOT NULL DEFAULT -1; -- 0: open; 1: delivered; 2: over; 3: removed
ALTER TABLE records ADD COLUMN eta_at INTEGER; -- of a shipment, an order; 9007199254740991: it has none
ALTER TABLE records ADD COLUMN drift INTEGER; -- minutes; likewise
ALTER TABLE records ADD COLUMN kind TEXT; -- a shipment's mode, an invoice's type
ALTER TABLE records ADD COLUMN totals TEXT; -- of an invoice, by currency, in JSON

DROP INDEX records_rang;
CREATE INDEX records_rang ON records (account, resource, ending, last_event_at);
CREATE INDEX records_eta ON records (account, resource, ending, eta_at) WHERE eta_at IS NOT NULL;
CREATE INDEX records_drift ON records (account, resource, ending, drift) WHERE drift IS NOT NULL;
CREATE INDEX records_name ON records (account, resource, ending, coalesce(' ' || lower(name), '!'));
CREATE INDEX records_lane ON records (account, lane) WHERE lane IS NOT NULL;
CREATE INDEX records_carrier ON records (account, carrier) WHERE carrier IS NOT NULL;
CREATE INDEX records_unlisted ON records (ref) WHERE ending = -1;
