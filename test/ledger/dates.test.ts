import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateAfter, type DateAt, type DateRow, slipAfter, type Telling, tellingsOf } from '../../src/ledger/dates.ts'
import { type DateText, isSameDate, NO_DATE } from '../../src/model/told-dates.ts'
import { sampleEvent, T } from '../store/samples.ts'
import { runs } from '../support/runs.ts'

const UNKNOWN: DateAt = { last: undefined, slip: undefined }
const DAY = 86_400_000

function on(day: number): DateText {
  return { date: `2026-12-0${day}T00:00:00Z`, status: 'estimated' }
}

function row(place: number, text: DateText, told: string | null): DateRow {
  const silent = { seenAt: null, toldAt: null, eventId: null }
  return { place, ...text, ...(told === null ? silent : { seenAt: T, toldAt: T + 1, eventId: told }) }
}

function changeOf(milestone: string) {
  return { date_change: { milestone, from: { ...on(1) }, to: { ...on(2) } } }
}

function telling(id: string, told: Partial<Telling['told']>): Telling {
  return { event: sampleEvent(id), storedAt: T + 1, told: { milestone: 'arrival', to: NO_DATE, ...told } }
}

test('a value is kept behind the one that was learnt silently before it', () => {
  const { added } = dateAfter(UNKNOWN, [telling('evt_1', { from: on(1), to: on(2) })])
  expect(added).toEqual([row(1, on(1), null), row(2, on(2), 'evt_1')])
})

test('the values of one batch follow each other, and the same one is kept once', () => {
  const last = row(3, on(1), 'evt_0')
  const tellings = [
    telling('evt_1', { from: on(1), to: on(2) }),
    telling('evt_2', { to: on(2) }),
    telling('evt_3', { to: on(3) }),
  ]
  const { added, slip } = dateAfter({ last, slip: undefined }, tellings)
  expect(added).toEqual([row(4, on(2), 'evt_1'), row(5, on(3), 'evt_3')])
  expect(slip).toBe('as it was')
})

test('a date moves away from its first value, and is forgotten with it', () => {
  const drift = { first: '2026-12-01T00:00:00Z', firstSeenAt: T, revisions: 2 }
  const moved = telling('evt_1', { from: on(1), to: on(3), drift })
  const { slip } = dateAfter(UNKNOWN, [moved])
  const first = Date.UTC(2026, 11, 1)
  const size = (2 * DAY) / 60_000
  expect(slip).toEqual({ first, now: first + 2 * DAY, revisions: 2, movedAt: T, day: Math.floor(T / DAY), size })
  expect(dateAfter(UNKNOWN, [moved, telling('evt_2', { from: on(3), to: NO_DATE })]).slip).toBe(null)
})

test('what is only shown moves nothing', () => {
  const shown = telling('evt_1', { to: on(2), isOnlyShown: true })
  expect(dateAfter({ last: row(1, on(1), 'evt_0'), slip: undefined }, [shown])).toEqual({
    added: [row(2, on(2), null)],
    slip: 'as it was',
  })
})

test('events tell date by date, those of no account of none', () => {
  const events = [
    sampleEvent('1', { type: 'shipment.eta_changed', extras: changeOf('arrival') }),
    sampleEvent('2', { type: 'shipment.etd_changed', extras: changeOf('departure') }),
    sampleEvent('3', { type: 'shipment.eta_changed', extras: changeOf('arrival') }),
    sampleEvent('4', { type: 'shipment.eta_changed', extras: changeOf('arrival'), account: null }),
  ]
  const told = tellingsOf(events.map((event) => ({ event, storedAt: T })))
  expect(told.map(({ key, tellings }) => [key.milestone, tellings.map(({ event }) => event.id)])).toEqual([
    ['arrival', ['1', '3']],
    ['departure', ['2']],
  ])
})

test('a batch makes of a date what its events make of it one by one', () => {
  const text = fc.oneof(fc.integer({ min: 1, max: 4 }).map(on), fc.constant(NO_DATE))
  const told = fc.record({
    from: fc.option(text, { nil: undefined }),
    to: text,
    isOnlyShown: fc.option(fc.constant(true as const), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(told.filter(isMove), { maxLength: 6 }), (history) => {
      const tellings = history.map(({ from, isOnlyShown, to }, index) =>
        telling(`evt_${index}`, { to, ...(from && { from }), ...(isOnlyShown && { isOnlyShown }) }),
      )
      const whole = dateAfter(UNKNOWN, tellings)
      let known: DateAt = UNKNOWN
      const added: DateRow[] = []
      for (const each of tellings) {
        const step = dateAfter(known, [each])
        added.push(...step.added)
        const slip = step.slip === 'as it was' ? known.slip : (step.slip ?? undefined)
        known = { last: added.at(-1), slip }
      }
      expect(whole.added).toEqual(added)
      expect(whole.slip === 'as it was' ? undefined : (whole.slip ?? undefined)).toEqual(known.slip)
      expect(added.map(({ place }) => place)).toEqual(added.map((_, index) => index + 1))
      for (const [index, each] of added.entries()) expect(isSameDate(added[index - 1] ?? NO_DATE, each)).toBe(false)
    }),
    runs(200),
  )
})

/** An event that says what a date was says that it is another one now. */
function isMove({ from, to }: { readonly from: DateText | undefined; readonly to: DateText }): boolean {
  return from === undefined || !isSameDate(from, to)
}

test.each([
  { what: 'did not move', to: on(1), slip: 'as it was' },
  { what: 'went', to: NO_DATE, slip: null },
])('a date that $what has no row', ({ slip, to }) => {
  const drift = { first: '2026-12-01T00:00:00Z', firstSeenAt: null, revisions: 1 }
  expect(slipAfter(undefined, { milestone: 'arrival', from: on(1), to, drift }, T)).toBe(slip)
})
