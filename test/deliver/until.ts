import { setImmediate as nextTurn } from 'node:timers/promises'

const MOST_TURNS = 100_000

/** Lets real requests on loopback take their course until something holds; no clock moves meanwhile. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if (await holds()) return
    await nextTurn()
  }
  throw new Error('It never came to hold.')
}
