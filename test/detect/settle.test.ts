import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectChange, detectSettled } from '../../src/detect/detect-change.ts'
import type { Detected } from '../../src/detect/detect-input.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import { baseline } from './reads.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-06-01T00:00:00Z')
const SETTLE = 5 * HOUR
const ENTRIES = ['pickup', 'departure', 'arrival', 'delivery'] as const

const entry = fc.option(
  fc.record({
    date: fc.constantFrom('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', '2026-07-03T00:00:00Z'),
    status: fc.constantFrom('estimated', 'estimated', 'planned', 'actual', 'problem'),
  }),
  { freq: 4 },
)
const dates = fc.record(Object.fromEntries(ENTRIES.map((name) => [`${name}_date`, entry])))
const reads = fc.array(fc.record({ dates, hours: fc.integer({ min: 1, max: 4 }), timer: fc.boolean() }), {
  maxLength: 12,
})

test('whatever estimates do, events lead from what was told to what is seen, leaf by leaf, none told twice', () => {
  fc.assert(
    fc.property(dates, reads, (first, steps) => {
      let state = baseline('shipment', record(first))
      let emitted: ReadonlyMap<string, Json> = leavesOf(first)
      let now = START
      const take = ({ state: next, events }: Detected): void => {
        state = next
        emitted = events.reduce(retell, emitted)
      }
      for (const { dates: shown, hours, timer } of steps) {
        now += hours * HOUR
        if (timer) take(settled(state, now))
        const seen = record(shown)
        take(detectChange({ ...common(state), after: seen, read: { sentAt: now, answeredAt: now }, settleMs: SETTLE }))
        for (const name of ENTRIES) if (mustShow(shown[`${name}_date`])) expectEmitted(emitted, shown, name)
      }
      take(settled(state, now + SETTLE))
      expect(state.memory.settling).toBeUndefined()
      expect(state.reported).toEqual(state.seen)
      expect(emitted).toEqual(leavesOf(steps.at(-1)?.dates ?? first))
    }),
  )
})

type Dates = Readonly<Record<string, { readonly date: string; readonly status: string } | null>>

function common(
  before: RecordState,
): Pick<
  Parameters<typeof detectChange>[0],
  'account' | 'resource' | 'id' | 'before' | 'mode' | 'absentAt' | 'ignore' | 'shipment'
> {
  return {
    account: 'acme',
    resource: 'shipment',
    id: 'SHP-1',
    before,
    mode: 'ring',
    absentAt: null,
    ignore: [],
    shipment: null,
  }
}

function settled(before: RecordState, now: number): Detected {
  return detectSettled({
    account: 'acme',
    resource: 'shipment',
    before,
    now,
    settleMs: SETTLE,
    ignore: [],
    shipment: null,
  })
}

function record(shown: Dates): JsonObject {
  return { platform_shipment_id: 'SHP-1', status: 'in_progress', main_tracking_dates: shown }
}

function leavesOf(shown: Dates): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(shown).flatMap(([name, value]) =>
      Object.entries(value ?? {}).map(([leaf, text]) => [`/main_tracking_dates/${name}/${leaf}`, text] as const),
    ),
  )
}

/** What a subscriber knows after an event: each change starts from what it knew. */
function retell(known: ReadonlyMap<string, Json>, { changes }: EventDraft): ReadonlyMap<string, Json> {
  const next = new Map(known)
  for (const { path, from, to } of changes ?? []) {
    expect(next.get(path) ?? null).toBe(from)
    if (to === null) next.delete(path)
    else next.set(path, to)
  }
  return next
}

function mustShow(value: Dates[string] | undefined): boolean {
  return value?.status === 'actual' || value?.status === 'problem'
}

function expectEmitted(emitted: ReadonlyMap<string, Json>, shown: Dates, name: string): void {
  expect(emitted.get(`/main_tracking_dates/${name}_date/date`)).toBe(shown[`${name}_date`]?.date)
  expect(emitted.get(`/main_tracking_dates/${name}_date/status`)).toBe(shown[`${name}_date`]?.status)
}
