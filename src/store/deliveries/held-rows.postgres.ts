import { JsonQuery } from '../server/json-query.ts'

/** A row that its sender has claimed; `claim`: where that claim is, which nobody moves while the endpoint is held. */
export interface HeldRow {
  readonly ref: number
  readonly id: string
  readonly subscription: string
  readonly lane: number
  readonly turn: number | null
  readonly test: number
  readonly claim: string
}

/**
 * Looks for the rows among `:ids` that `:owner` has claimed, with `more` of their columns, and beside them how far steady time is ahead:
 * that is known also where no row is found. Claims are looked up one by one, by their keys: a join may read all that earlier claims left
 * behind.
 */
export function lookForHeld<Row extends HeldRow>(
  more: string,
): JsonQuery<{ readonly ahead: number } & (Row | { readonly ref: null })> {
  return new JsonQuery(`
    SELECT ahead, held.* FROM steady_time LEFT JOIN LATERAL (
      SELECT ref, id, delivery.subscription, lane, turn, test, claim.ctid::text AS claim${more}
      FROM deliveries AS delivery CROSS JOIN LATERAL (
        SELECT ctid, owner FROM claims WHERE subscription = delivery.subscription AND event = delivery.event LIMIT 1
      ) AS claim
      WHERE id = ANY(:ids::text[]) AND claim.owner = :owner
    ) AS held ON true`)
}
