-- Shipments that arrived and of which a date was told before: one row each.
CREATE TABLE arrivals (
  account TEXT NOT NULL,
  shipment TEXT NOT NULL,
  carrier TEXT NOT NULL, -- empty: none is named
  lane TEXT NOT NULL, -- empty: not both ports are named
  arrived_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  told TEXT NOT NULL, -- JSON: pairs of a date and when it was told, earliest first
  PRIMARY KEY (account, shipment)
) STRICT, WITHOUT ROWID;
CREATE INDEX arrivals_carrier ON arrivals (account, carrier, recorded_at);
CREATE INDEX arrivals_lane ON arrivals (account, lane, recorded_at);
CREATE INDEX arrivals_recorded ON arrivals (account, recorded_at);

-- The arrivals of the last 180 days that are counted together.
CREATE TABLE arrival_sums (
  account TEXT NOT NULL,
  carrier TEXT NOT NULL,
  lane TEXT NOT NULL,
  newest INTEGER NOT NULL, -- when the last of them came
  arrivals TEXT NOT NULL,
  PRIMARY KEY (account, carrier, lane)
) STRICT, WITHOUT ROWID;
