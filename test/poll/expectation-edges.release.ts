import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ExpectationRule } from '../../src/model/expectation.ts'
import { textField, type JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, WATCH, WATCH_MORE } from './polling.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const AMOUNT = 300
const PASSES = 60

const READY: ExpectationRule = {
  name: 'ready',
  about: 'shipment',
  when: 'shipment.status == "booked"',
  by: 'after(shipment.cargo_ready_date, "1d")',
  until: 'documents.exists(d, d.type == "packing_list")',
  severity: 'warning',
}
const LEAVING: ExpectationRule = {
  ...READY,
  name: 'leaving',
  by: 'before(shipment.main_tracking_dates.departure_date, "3d")',
}

/** Its length ends between two reads, which are whole hours apart. */
const STILL: ExpectationRule = {
  ...READY,
  name: 'still',
  by: 'after(last_change("shipment"), "690m")',
  until: 'false',
}
const STILL_MS = 690 * 60_000

/** A shipment as the platform has it. */
interface Life {
  readonly id: string
  /** Nothing but its last change is read of it. */
  name: number
  /** When a read last showed it changed. */
  changedAt: number
  isBooked: boolean
  ready: string | null
  departs: number | null
  hasList: boolean
}

/** Numbers that are the same in every run. */
function dice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** When the day after a date ends in Paris, which is an hour further from UTC after the last Sunday of March until that of October. */
function endOfNextDay(date: string): number {
  const midnight = Date.parse(date) + 2 * DAY
  const year = new Date(midnight).getUTCFullYear()
  const lastSunday = (month: number): number => {
    const last = new Date(Date.UTC(year, month + 1, 0))
    return last.getTime() - last.getUTCDay() * DAY
  }
  const isSummer = midnight > lastSunday(2) && midnight <= lastSunday(9)
  return midnight - (isSummer ? 2 : 1) * HOUR
}

function isMissed({ changedAt, departs, hasList, isBooked, ready }: Life, rule: string, now: number): boolean {
  if (rule === 'still') return isBooked && changedAt + STILL_MS <= now
  const end = ready === null ? null : endOfNextDay(ready)
  const start = departs === null ? null : departs - 3 * DAY
  const by = rule === 'ready' ? end : start
  return isBooked && !hasList && by !== null && by <= now
}

function shownBy(lives: readonly Life[]): { readonly shipments: JsonObject[]; readonly documents: JsonObject[] } {
  return {
    shipments: lives.map(({ departs, id, isBooked, name, ready }) =>
      shipment(id, {
        name: `${name}`,
        status: isBooked ? 'booked' : 'finished',
        cargo_ready_date: ready,
        main_tracking_dates: {
          departure_date: departs === null ? null : { date: new Date(departs).toISOString(), status: 'planned' },
        },
      }),
    ),
    // A document comes and goes as what it is, or to another shipment, which nobody knows.
    documents: lives.map(({ hasList, id }, index) => ({
      id: `${index}`,
      name: 'list.pdf',
      type: hasList || index % 2 === 0 ? 'packing_list' : 'cmr',
      platform_shipment_id: hasList || index % 2 === 1 ? id : 'elsewhere',
    })),
  }
}

/** Lets a daemon read everything and take up what it noted. */
async function read(polling: Polling): Promise<void> {
  const stop = new AbortController()
  const running = polling.poller.run(stop.signal)
  await polling.clock.advance(3_000)
  for (let quiet = 0; quiet < 8;) {
    await polling.clock.advance(1_000)
    await nextTurn()
    const { notes } = await polling.store.noted('acme', 'expectations', 1)
    quiet = notes.length === 0 ? quiet + 1 : 0
  }
  stop.abort()
  await running
}

test.each([
  ['dates and documents', [READY, LEAVING], 10_000],
  ['last changes', [STILL], 2_000],
])('thousands of edges of %s over downtime are each missed once and ended once', async (_of, expectations, least) => {
  const [roll, namings] = [dice(7), dice(11)]
  const watch = { shipments: WATCH.shipments, documents: WATCH_MORE.documents }
  await using polling = new Polling({ timeZone: 'Europe/Paris', expectations, watch })
  polling.clock.jump(Date.parse('2027-02-20T08:00:00Z'))
  const lives = Array.from({ length: AMOUNT }, (_, index): Life => ({
    id: `SHP-${index}`,
    name: 0,
    changedAt: 0,
    isBooked: true,
    ready: null,
    departs: null,
    hasList: false,
  }))
  const was = new Map<string, 'no' | 'aloud' | 'silent'>()
  const expected: string[] = []
  let first = true
  const change = (life: Life): void => {
    const soon = polling.clock.now() + (roll(240) - 120) * HOUR
    const before = JSON.stringify([life.isBooked, life.ready, life.departs, life.name])
    if (roll(2) === 0) life.isBooked = roll(5) > 0
    if (roll(3) === 0) life.ready = roll(8) === 0 ? null : new Date(soon).toISOString().slice(0, 10)
    if (roll(3) === 0) life.departs = roll(8) === 0 ? null : soon + 3 * DAY
    if (namings(4) === 0) life.name = namings(1_000)
    const isChanged = before !== JSON.stringify([life.isBooked, life.ready, life.departs, life.name])
    if (isChanged || life.changedAt === 0) life.changedAt = polling.clock.now()
    life.hasList = roll(5) < 2
  }
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const life of lives) change(life)
    Object.assign(polling.platform, shownBy(lives))
    await read(polling)
    const now = polling.clock.now()
    for (const life of lives) {
      for (const { name: rule } of expectations) {
        const key = `${rule} ${life.id}`
        const before = was.get(key) ?? 'no'
        const is = isMissed(life, rule, now)
        if (is === (before !== 'no')) continue
        was.set(key, is ? (first ? 'silent' : 'aloud') : 'no')
        const end = life.hasList && rule !== 'still' ? 'met' : 'withdrawn'
        if (is ? !first : before === 'aloud') expected.push(`${pass} ${key} ${is ? 'missed' : end}`)
      }
    }
    first = false
    const rests = roll(12) === 0 ? 10 * DAY : roll(40) * HOUR
    polling.clock.jump(Math.floor(now / HOUR) * HOUR + rests + HOUR / 2)
    if (pass % 7 === 6) await polling.restart()
  }
  const found = new Map<string, string[]>()
  for (const { extras, subject, type } of await polling.events()) {
    if (!type.startsWith('expectation.')) continue
    const key = `${textField(extras, 'expectation')} ${subject.id}`
    found.set(key, [...(found.get(key) ?? []), type.slice('expectation.'.length)])
  }
  const told = Map.groupBy(expected, (line) => line.split(' ').slice(1, 3).join(' '))
  const wanted = new Map([...told].map(([key, lines]) => [key, lines.map((line) => line.split(' ')[3] ?? '')]))
  expect(expected.length).toBeGreaterThan(least)
  expect(found).toEqual(wanted)
  const open = [...was.values()].filter((each) => each !== 'no').length
  const counts = await polling.store.exceptionCounts(polling.clock.now())
  expect(counts.filter(({ type }) => type === 'expectation.missed').reduce((sum, { open: n }) => sum + n, 0)).toBe(open)
})
