import { describe, expect, test } from 'vitest'
import { readDeliveries } from '../../src/sandbox/sandbox.ts'
import { compareEmitted } from './compare-emitted.ts'
import { eventsByTheCells, NO_DATA, realDeliveriesFile } from './real-deliveries.ts'
import { replay } from './replay.ts'

/** Every shipment, day by day, is `npm run bench -- replay`. */
const EVERY_NTH = 50

/** Recorded on the first day of the data; two scheduled days; recorded the day before it was delivered. */
const AWKWARD = ['ASN-6', 'ASN-26928', 'ASN-22935']

describe('the real deliveries, replayed day by day through the sandbox', () => {
  test('ring exactly the events computed straight from the CSV', async (context) => {
    const file = realDeliveriesFile()
    if (file === null) {
      context.skip(NO_DATA)
      return
    }
    const all = eventsByTheCells(file)
    const ids = [...new Set(all.map(({ shipment }) => shipment))]
    const chosen = new Set([...ids.filter((_, n) => n % EVERY_NTH === 0), ...AWKWARD])
    const expected = all.filter(({ shipment }) => chosen.has(shipment))
    const deliveries = readDeliveries(file).filter(({ id }) => chosen.has(id))
    const days = [...new Set(expected.map(({ seen }) => seen))].sort()
    const { emitted, passes } = await replay(deliveries, [...days, '2016-01-01'])
    console.log(
      `${deliveries.length} of ${ids.length} shipments, ${passes} passes: ${emitted.length} events of ${expected.length}`,
    )
    expect(compareEmitted(expected, emitted)).toEqual({ missed: [], invented: [] })
    expect(expected.length).toBe(chosen.size * 2)
  })
})
