import { HOUR, MINUTE, SECOND } from './time.ts'

/** What every policy may spend. */
export const BUDGET = { requests: 6, perMs: MINUTE, concurrency: 1, share: 1 } as const

/** The budget, evenly spaced. */
export const SLOT = BUDGET.perMs / BUDGET.requests

/** From asking to answer; the platform looks halfway. */
export const LATENCY = 0.2 * SECOND

/** No unit may go unread for longer: about a quarter of the budget. */
export const EVERY = { list: 30 * MINUTE, tracking: 4 * HOUR } as const

export const PAGE = 100

/** Tracking is read for so long after a shipment was seen finished (contract section 3.1). */
export const AFTER_CLOSED = 7 * 24 * HOUR
