import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { netEntries } from '../../../src/message/net/net-entries.ts'
import { field, textField, type Json } from '../../../src/model/json.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { NetWorld } from './net-world.ts'

const DAYS = ['2026-12-10', '2026-12-11', '2026-12-12 problem', '2026-12-12 actual', '']
const STATUSES = ['booked', 'in_progress', 'finished']

/** What becomes of some shipments: each turn gives one date or the status of one of them another value. */
const LIFE = fc.array(
  fc.record({
    ship: fc.constantFrom('S1', 'S2'),
    what: fc.constantFrom('arrival', 'departure', 'status'),
    to: fc.nat(4),
  }),
  { minLength: 1, maxLength: 30 },
)

interface Played {
  readonly events: readonly ShipbellEvent[]
  readonly first: ReadonlyMap<string, string>
  readonly last: ReadonlyMap<string, string>
}

function played(life: readonly { readonly ship: string; readonly what: string; readonly to: number }[]): Played {
  const world = new NetWorld()
  const [first, last] = [new Map<string, string>(), new Map<string, string>()]
  const events = life.flatMap(({ ship, what, to }) => {
    const values = what === 'status' ? STATUSES : DAYS
    const [key, value] = [`${ship} ${what}`, values[to % values.length] ?? '']
    const was = last.get(key) ?? values[0] ?? ''
    if (!first.has(key)) first.set(key, was)
    last.set(key, value)
    if (was === value) return []
    if (what === 'status')
      return [world.about('shipment.status_changed', ship, { from: was, to: value, regression: false })]
    return [world.dated(ship, what === 'arrival' ? 'shipment.eta_changed' : 'shipment.etd_changed', [was, value, what])]
  })
  return { events, first, last }
}

function said(value: Json | undefined): string {
  if (typeof value === 'string') return value
  const date = textField(value, 'date')
  if (date === null) return ''
  const status = textField(value, 'status')
  return `${date.slice(0, 10)}${status === 'estimated' ? '' : ` ${status}`}`
}

test('each shipment is one entry, and each date and status one line from its first value to its last, where these differ', () => {
  fc.assert(
    fc.property(LIFE, (life) => {
      const { events, first, last } = played(life)
      const entries = netEntries(events)
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      expect(entries.flatMap((entry) => entry.events)).toHaveLength(events.length)
      const lines = entries.flatMap(({ id, changes }) =>
        changes.map(({ event: { extras } }) => {
          const change = field(extras, 'date_change') ?? extras
          const what = textField(field(extras, 'date_change'), 'milestone') ?? 'status'
          return [`${id} ${what}`, said(field(change, 'from')), said(field(change, 'to'))].join(' | ')
        }),
      )
      const expected = [...first].flatMap(([key, from]) =>
        from === last.get(key) ? [] : [[key, from, last.get(key)].join(' | ')],
      )
      expect(new Set(lines)).toEqual(new Set(expected))
      expect(lines).toHaveLength(expected.length)
    }),
    { numRuns: 200 },
  )
})
