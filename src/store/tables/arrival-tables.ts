import { INTEGER, table, TEXT } from './table.ts'

/** How well dates that were told of arrivals were kept. */
export const ARRIVAL_TABLES = {
  arrivals: table('arrivals', ['account', 'shipment'], {
    account: TEXT,
    shipment: TEXT,
    /** Empty: the shipment names none. */
    carrier: TEXT,
    /** `CNSHA-NLRTM`; empty: the shipment does not name both ports. */
    lane: TEXT,
    arrived_at: INTEGER,
    recorded_at: INTEGER,
    /** What was told before, earliest first, as JSON: pairs of a date and when it was told. */
    told: TEXT,
  }),
  arrival_sums: table('arrival_sums', ['account', 'carrier', 'lane'], {
    account: TEXT,
    carrier: TEXT,
    lane: TEXT,
    newest: INTEGER,
    /** The arrivals that count, `packed`. */
    arrivals: TEXT,
  }),
}
