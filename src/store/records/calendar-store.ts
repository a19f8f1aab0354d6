import type { DueQuery } from '../ports/record-port.ts'

/** All instants: what a query leaves out. */
export const EVER: Required<DueQuery> = {
  after: Number.MIN_SAFE_INTEGER,
  until: Number.MAX_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
}

export const DUE = `
  SELECT resource, id, next_edge_at AS at FROM records
  WHERE account = :account AND next_edge_at > :after AND next_edge_at <= :until AND next_edge_at IS NOT NULL
    AND removed_at IS NULL
  ORDER BY next_edge_at, resource, id LIMIT :most`

/** Nothing rings either of records whose shipment is removed. */
export const SETTLING = `
  SELECT resource, id, settles_at AS at FROM records
  WHERE account = :account AND settles_at > :after AND settles_at <= :until AND settles_at IS NOT NULL AND removed_at IS NULL
    AND NOT (resource = 'tracking' AND EXISTS (
      SELECT 1 FROM records AS shipment
      WHERE shipment.account = records.account AND shipment.resource = 'shipment' AND shipment.id = records.id
        AND shipment.removed_at IS NOT NULL))
  ORDER BY settles_at, resource, id LIMIT :most`
