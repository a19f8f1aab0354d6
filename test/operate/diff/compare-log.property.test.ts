import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoggedEvent } from '../../../src/model/event.ts'
import type { Subscription } from '../../../src/model/subscription.ts'
import type { SubscriptionSide } from '../../../src/operate/diff/compared-subscription.ts'
import { compareLog, type SubscriptionDifference } from '../../../src/operate/diff/compare-log.ts'
import { DIFFERENCES } from '../../../src/operate/diff/difference-marks.ts'
import { route } from '../../../src/route/route.ts'
import type { NotifiedDate } from '../../../src/model/routing.ts'
import type { LogQuery } from '../../../src/store/ports/log-port.ts'
import { event, filter, HOUR, T } from '../../route/samples.ts'
import { subscription } from '../../support/subscription.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'

const WHERE = ['data.shipment.freight_mode == "ocean"', 'data.note > 3', 'data.from == "draft"'].map(filter)

const hearer: fc.Arbitrary<Subscription> = fc
  .record({
    events: fc.constantFrom(['*'], ['shipment.*'], ['shipment.eta_changed', 'invoice.*']),
    accounts: fc.constantFrom(null, ['acme'], ['beta']),
    filter: fc.option(fc.constantFrom(...WHERE)),
    minShiftMs: fc.option(fc.constantFrom(6 * HOUR, 20 * HOUR)),
    channel: fc.constantFrom(
      webhookChannel(),
      webhookChannel({ payload: 'thin' }),
      webhookChannel({ omit: ['/note'] }),
    ),
  })
  .map((about) => subscription('erp', about))

interface Move {
  readonly account: string
  readonly id: string
  readonly hours: number
  readonly note: boolean
}

const move: fc.Arbitrary<Move> = fc.record({
  account: fc.constantFrom('acme', 'beta'),
  id: fc.constantFrom('A', 'B'),
  hours: fc.integer({ min: -30, max: 30 }),
  note: fc.boolean(),
})

function dated(at: number) {
  return { date: new Date(at).toISOString(), status: 'estimated' }
}

/** A log of dates that move, and of notes. */
function logOf(moves: readonly Move[]): readonly LoggedEvent[] {
  const dates = new Map<string, number>()
  return moves.map(({ account, hours, id, note }, nth) => {
    const key = `${account} ${id}`
    const from = dates.get(key) ?? T
    const to = from + hours * HOUR
    if (!note) dates.set(key, to)
    const subject = { resource: 'shipment', id, version: nth + 1, previousEventId: null } as const
    const extras = { date_change: { milestone: 'arrival', from: dated(from), to: dated(to) } }
    const drafted = event(`evt_${nth}`, note ? 'shipment.updated' : 'shipment.eta_changed', {
      account,
      subject,
      timestamp: T + nth * HOUR,
      object: { note: 'x' },
      before: { note: 'y' },
      changes: [note ? { path: '/note', from: 'y', to: 'x' } : { path: '/main_tracking_dates', from: 1, to: 2 }],
      shipment: null,
      extras: note ? { note: hours } : extras,
    })
    return { ...drafted, sequence: nth + 1, expiredAt: null }
  })
}

/** What the daemon routes to a subscription, commit by commit. */
function routed(log: readonly LoggedEvent[], hears: Subscription): ReadonlySet<string> {
  const dates = new Map<string | null, readonly NotifiedDate[]>()
  return new Set(
    log.flatMap((each) => {
      const known = dates.get(each.account) ?? []
      const { deliveries, dates: changed } = route([each], [hears], { lastSequence: each.sequence - 1, dates: known })
      const isOther = (one: NotifiedDate): boolean =>
        changed.every(({ date, subject }) => date !== one.date || subject.id !== one.subject.id)
      dates.set(each.account, [...known.filter(isOther), ...changed])
      return deliveries.map(({ eventId }) => eventId)
    }),
  )
}

function sideOf(hears: Subscription): SubscriptionSide {
  const context = { links: () => [], zoneOf: () => 'UTC' }
  return { subscription: hears, channel: hears.channel, target: '', context }
}

async function differences(log: readonly LoggedEvent[], old: Subscription, other: Subscription) {
  const [difference] = await allDifferences(log, [[old, other]])
  if (difference === undefined) throw new Error('One subscription is compared.')
  return difference
}

async function allDifferences(log: readonly LoggedEvent[], sides: readonly (readonly [Subscription, Subscription])[]) {
  const store = {
    logPage: async ({ after, limit }: LogQuery) => {
      const placed = log.map((each, nth) => ({ event: each, place: nth + 1, rangAt: each.timestamp }))
      const start = after ?? 0
      const end = start + limit < log.length ? start + limit : null
      return { events: placed.slice(start, start + limit), rows: new Map(), end }
    },
  }
  const pairs = sides.map(([old, other]) => ({ name: old.name, old: sideOf(old), new: sideOf(other) }))
  const asked = { since: null, now: T + 1_000 * HOUR, namesAll: true, goOn: async () => undefined }
  const { subscriptions } = await compareLog(store, pairs, asked)
  return subscriptions.map(idsOf)
}

function idsOf({ ids }: SubscriptionDifference) {
  const [less, more, different] = DIFFERENCES.map((each) => [...ids(each)])
  return { less: less ?? [], more: more ?? [], different: different ?? [] }
}

test('what is less and more is what the daemon would have routed, both ways; nothing differs from itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 25 }), hearer, hearer, async (moves, old, other) => {
      const log = logOf(moves)
      const [before, after] = [routed(log, old), routed(log, other)]
      const said = await differences(log, old, other)
      expect(said.less).toEqual([...before].filter((id) => !after.has(id)))
      expect(said.more).toEqual([...after].filter((id) => !before.has(id)))
      expect(said.different.every((id) => before.has(id) && after.has(id))).toBe(true)
      expect(await differences(log, other, old)).toEqual({ ...said, less: said.more, more: said.less })
      expect(await differences(log, old, old)).toEqual({ less: [], more: [], different: [] })
    }),
    { numRuns: 60 },
  )
})

test('many subscriptions are compared as each is alone, also where they choose alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 15 }),
      fc.array(hearer, { minLength: 2, maxLength: 3 }),
      async (moves, hearers) => {
        const log = logOf(moves)
        const sides = hearers.flatMap((old) => hearers.map((other) => [old, other] as const))
        const alone = await Promise.all(sides.map(([old, other]) => differences(log, old, other)))
        expect(await allDifferences(log, sides)).toEqual(alone)
      },
    ),
    { numRuns: 20 },
  )
})
