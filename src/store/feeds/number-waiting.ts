import { outermostPosition } from '../deliveries/new-delivery.ts'

/** The newest numbers of the rows of a subscription. */
export const NEWEST = `
  SELECT dropped_position, ${outermostPosition('DESC')} AS kept_position
  FROM endpoints WHERE subscription = :subscription`

/**
 * Numbers, in either dialect, the rows of a subscription that were made before rows were numbered and are not delivered: a feed shows them,
 * and they can be taken, like all that it is to receive. By one statement, because nothing is decided of a row that was not decided of all.
 */
export const NUMBER = `
  UPDATE deliveries SET position = :newest + waiting.nth FROM (
    SELECT ref, row_number() OVER (ORDER BY ref) AS nth FROM deliveries
    WHERE subscription = :subscription AND state IN ('pending', 'held', 'exhausted', 'discarded') AND position IS NULL AND test = 0
  ) AS waiting WHERE deliveries.ref = waiting.ref`
