import { HOUR, MINUTE, SECOND } from './time.ts'

/** What every policy may spend. */
export const BUDGET = { requests: 6, perMs: MINUTE, concurrency: 1, share: 1 } as const

/** The budget, evenly spaced. */
export const SLOT = BUDGET.perMs / BUDGET.requests

/** From asking to answer; the platform looks halfway. */
export const LATENCY = 0.2 * SECOND

const [LIST = 30, TRACKING = 4 * 60] = (process.env['SHIPBELL_BENCH_EVERY'] ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number)

/** No unit may go unread for longer: about a quarter of the budget. `SHIPBELL_BENCH_EVERY=15,120`, in minutes: half of it. */
export const EVERY = { list: LIST * MINUTE, tracking: TRACKING * MINUTE } as const

export const PAGE = 100

/** Tracking is read for so long after a shipment was seen finished (guarantee D1). */
export const AFTER_CLOSED = 7 * 24 * HOUR
