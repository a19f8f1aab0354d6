import type { BatchPolicy } from '../../batches.ts'
import { gatheredAt, MOST_SINGLE } from '../gathering.ts'
import { asOne, sortOut } from './sort-out.ts'

const MOST_IN_A_MAIL = 1_000

/** A mail for each event; more than five that come in one burst, of one pass for example, are one mail. */
export const BURST_POLICY: BatchPolicy = {
  most: MOST_IN_A_MAIL,
  form: (waiting, { now, forced }) => {
    const { tests, repeats, fresh } = sortOut(waiting)
    const over = gatheredAt(fresh.map(({ dueAt }) => Math.min(dueAt, now)))
    const gathers = fresh.length > 0 && !forced && now < over
    if (gathers) return { batches: [...tests, ...repeats], waitUntil: over }
    const singly = fresh.length > MOST_SINGLE ? asOne(fresh) : fresh.map((delivery) => [delivery] as const)
    return { batches: [...tests, ...repeats, ...singly], waitUntil: null }
  },
}
