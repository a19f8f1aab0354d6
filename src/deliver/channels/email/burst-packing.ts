import type { Packing, Parcel } from '../../parcels.ts'
import { asOne, sortOut } from './sort-out.ts'

/** More than these that came together are one mail. */
const MOST_SINGLE = 5
const MOST_IN_A_MAIL = 1_000
/** A burst is over when nothing has come for so long, and told after so long even where it goes on. */
const QUIET_MS = 5_000
const LONGEST_WAIT_MS = 60_000

/** A mail for each event; more than five that come in one burst, of one pass for example, are one mail. */
export const BURST_PACKING: Packing = {
  most: MOST_IN_A_MAIL,
  pack: (waiting, { now, forced }) => {
    const { tests, repeats, fresh } = sortOut(waiting)
    const due = fresh.map(({ dueAt }) => Math.min(dueAt, now))
    const over = Math.min(Math.max(...due) + QUIET_MS, Math.min(...due) + LONGEST_WAIT_MS)
    const gathers = fresh.length > 0 && !forced && now < over
    if (gathers) return { parcels: [...tests, ...repeats], waitUntil: over }
    const singly = fresh.length > MOST_SINGLE ? asOne(fresh) : fresh.map((delivery): Parcel => [delivery])
    return { parcels: [...tests, ...repeats, ...singly], waitUntil: null }
  },
}
