import Sqlite from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { type DateText, instantOf, isSameDate, NO_DATE, toldDates } from '../../src/model/told-dates.ts'
import { runs } from '../support/runs.ts'
import { Polling, shipment, WATCH } from './polling.ts'

const DAY = 86_400_000
const SHIPMENTS = { watch: { shipments: WATCH.shipments } }

/** A shipment whose arrival is so many days from now, as `e3` (estimated) or `a3` (actual). */
function sailing(polling: Polling, [id, arrival]: readonly [string, string], more: JsonObject = {}): JsonObject {
  const status = arrival.startsWith('a') ? 'actual' : 'estimated'
  const date = formatInstant(Math.floor(polling.clock.now() / DAY) * DAY + Number(arrival.slice(1)) * DAY)
  const route = { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' }
  const main_tracking_dates = { arrival_date: { date, status } }
  return shipment(id, {
    status: 'in_progress',
    main_tracking_dates,
    route,
    booking_information: { carrier: 'One' },
    ...more,
  })
}

async function told(polling: Polling, id: string, ...arrivals: readonly string[]): Promise<void> {
  for (const arrival of arrivals) {
    const others = polling.platform.shipments.filter((each) => each['platform_shipment_id'] !== id)
    polling.platform.shipments = [...others, sailing(polling, [id, arrival])]
    await polling.pass()
  }
}

async function figures(
  polling: Polling,
  by: 'carrier' | 'lane' = 'carrier',
): ReturnType<Polling['store']['reliability']> {
  return await polling.store.reliability({ by, since: polling.clock.now() - 180 * DAY })
}

const ONE = { key: 'One', n: 1, nearFirst: 0, nearLast: 1, medianDriftMinutes: 2 * 1_440 }

test('an arrival is counted once dates of it were told, by the first and the last of them', async () => {
  await using polling = new Polling(SHIPMENTS)
  await told(polling, 'SHP-0', 'e1')
  await told(polling, 'SHP-0', 'a1')
  expect(await figures(polling)).toEqual([])
  await told(polling, 'SHP-1', 'e1', 'e9', 'e4')
  expect(await figures(polling)).toEqual([])
  await told(polling, 'SHP-1', 'a3')
  expect(await figures(polling)).toEqual([ONE])
  expect(await figures(polling, 'lane')).toEqual([{ ...ONE, key: 'CNSHA-NLRTM' }])
  await told(polling, 'SHP-1', 'a2')
  expect(await figures(polling)).toEqual([{ ...ONE, nearFirst: 1, nearLast: 0, medianDriftMinutes: 1_440 }])
  await told(polling, 'SHP-1', 'e2')
  expect(await figures(polling)).toEqual([])
})

test('a shipment that is cancelled or gone after its arrival stays an arrival', async () => {
  await using polling = new Polling(SHIPMENTS)
  await told(polling, 'SHP-0', 'e1')
  await told(polling, 'SHP-1', 'e1', 'e3', 'a3')
  const cancelled = sailing(polling, ['SHP-1', 'a3'], { status: 'cancelled' })
  polling.platform.shipments = [sailing(polling, ['SHP-0', 'e1']), cancelled]
  await polling.pass()
  expect(await figures(polling)).toEqual([ONE])
  polling.platform.shipments = [sailing(polling, ['SHP-0', 'e1'])]
  for (const _ of [1, 2, 3]) await polling.pass()
  expect(await polling.types()).toContain('shipment.removed')
  expect(await figures(polling)).toEqual([ONE])
  polling.platform.shipments = [sailing(polling, ['SHP-0', 'e1']), cancelled]
  await polling.pass()
  expect(await polling.types()).toContain('shipment.restored')
  expect(await figures(polling)).toEqual([ONE])
})

test('a store of before learns from what it knows, and rings nothing', async () => {
  await using polling = new Polling(SHIPMENTS)
  await told(polling, 'SHP-0', 'e1')
  await told(polling, 'SHP-1', 'e1', 'e3', 'a3')
  const db = new Sqlite(polling.file)
  db.exec(`DELETE FROM arrivals; DELETE FROM arrival_sums; DELETE FROM topics; DELETE FROM notes`)
  db.close()
  await polling.restart()
  expect(await figures(polling)).toEqual([])
  expect(await polling.pass()).toEqual([])
  expect(await figures(polling)).toEqual([ONE])
})

const ARRIVALS = fc.constantFrom('e1', 'e2', 'e4', 'a2', 'a3', 'gone')
const LIVES = fc.array(fc.record({ 'SHP-1': ARRIVALS, 'SHP-2': ARRIVALS }), { minLength: 3, maxLength: 7 })

test('what is kept is what the event log says', { tags: 'long' }, async () => {
  const property = fc.asyncProperty(LIVES, async (steps) => {
    await using polling = new Polling(SHIPMENTS)
    await told(polling, 'SHP-0', 'e1')
    for (const step of steps) {
      const shown = Object.entries(step).filter(([, arrival]) => arrival !== 'gone')
      const others = shown.map(([id, arrival]) => sailing(polling, [id, arrival]))
      polling.platform.shipments = [sailing(polling, ['SHP-0', 'e1']), ...others]
      await polling.pass()
    }
    const log = Map.groupBy(await polling.events(), ({ subject }) => subject.id)
    const wanted = ['SHP-1', 'SHP-2'].flatMap((id) => arrivalIn(id, log.get(id) ?? []))
    const asked = { account: 'acme', by: 'carrier', key: 'One', limit: 9 } as const
    const found = await polling.store.pastArrivals(asked)
    const shown = found.map(({ arrivedAt, lane, shipment: id, told: dates }) => ({
      id,
      lane,
      arrivedAt,
      told: [dates[0]?.date, dates.at(-1)?.date],
    }))
    expect(shown.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(wanted)
    expect((await figures(polling)).map(({ n }) => n)).toEqual(wanted.length === 0 ? [] : [wanted.length])
  })
  await fc.assert(property, runs(8))
})

/** The arrival of a shipment by what its events told. */
function arrivalIn(id: string, events: readonly ShipbellEvent[]) {
  const values: DateText[] = []
  for (const { isOnlyShown, milestone, to } of events.flatMap(toldDates)) {
    if (milestone === 'arrival' && isOnlyShown !== true && !isSameDate(values.at(-1) ?? NO_DATE, to)) values.push(to)
  }
  const [last, place] = [values.at(-1) ?? NO_DATE, values.findLastIndex(({ status }) => status !== 'actual')]
  const dates = values.slice(0, place + 1).flatMap((each) => (each.status === 'actual' ? [] : (instantOf(each) ?? [])))
  if (last.status !== 'actual' || dates.length === 0) return []
  return [{ id, lane: 'CNSHA-NLRTM', arrivedAt: instantOf(last), told: [dates[0], dates.at(-1)] }]
}
