-- Shipments that arrived and of which a date was told before: one row each.
CREATE TABLE arrivals (
  account text COLLATE "C" NOT NULL,
  shipment text COLLATE "C" NOT NULL,
  carrier text COLLATE "C" NOT NULL, -- empty: none is named
  lane text COLLATE "C" NOT NULL, -- empty: not both ports are named
  arrived_at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  told text NOT NULL, -- JSON: pairs of a date and when it was told, earliest first
  PRIMARY KEY (account, shipment)
);
CREATE INDEX arrivals_carrier ON arrivals (account, carrier, recorded_at);
CREATE INDEX arrivals_lane ON arrivals (account, lane, recorded_at);
CREATE INDEX arrivals_recorded ON arrivals (account, recorded_at);

-- The arrivals of the last 180 days that are counted together.
CREATE TABLE arrival_sums (
  account text COLLATE "C" NOT NULL,
  carrier text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  newest bigint NOT NULL, -- when the last of them came
  arrivals text NOT NULL,
  PRIMARY KEY (account, carrier, lane)
);
