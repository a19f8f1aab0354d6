import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchPolicyOf } from '../../src/deliver/channels/channel-kinds.ts'
import { Endpoint } from '../../src/deliver/endpoint.ts'
import { PutOff, putOffUntil } from '../../src/deliver/put-off.ts'
import type { ChannelSettings } from '../../src/model/subscription.ts'
import type { WaitingDelivery } from '../../src/store/ports/delivery-port.ts'
import { emailChannel } from './channels/email/mailing.ts'
import { sampleEvent } from './sample-event.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const START = Date.UTC(2026, 9, 20)
const zoneOf = (account: string | null): string => (account === 'acme' ? 'America/New_York' : 'UTC')

const minutes = fc.integer({ min: 0, max: 1_439 })
const zone = fc.constantFrom('Europe/Paris', 'America/New_York', 'Asia/Kolkata')
const channel: fc.Arbitrary<ChannelSettings> = fc.oneof(
  fc
    .record({ atMinutes: minutes, timeZone: zone, every: fc.constantFrom('day', 'week') })
    .map((digest) => emailChannel({ digest })),
  fc
    .record({ fromMinutes: minutes, toMinutes: minutes, timeZone: fc.option(zone) })
    .filter(({ fromMinutes, toMinutes }) => fromMinutes !== toMinutes)
    .map(({ timeZone, ...quiet }) => emailChannel({ quiet, timeZone })),
)

/** The batches that a daemon makes of a delivery at an instant. */
function batchesAt(settings: ChannelSettings, delivery: WaitingDelivery, now: number): number {
  const opened = {
    batchPolicy: batchPolicyOf(settings),
    send: async () => ({ kind: 'cut' }) as const,
    [Symbol.asyncDispose]: async () => undefined,
  }
  return new Endpoint(settings, opened, zoneOf).batchPolicy.form([delivery], { now, forced: false }).batches.length
}

describe('what is put off', () => {
  test('goes at the instant that is said, and not before, by the batches of the daemon', () => {
    fc.assert(
      fc.property(channel, fc.integer({ min: 0, max: 30 * DAY }), (settings, after) => {
        const rangAt = START + after
        const until = putOffUntil(settings, { account: 'acme', rangAt }, zoneOf)
        const delivery = { id: 'dlv_1', subscription: 'ops', attempts: 0, dueAt: rangAt, rangAt, event: sampleEvent() }
        if (until === null) return
        expect(until).toBeGreaterThan(rangAt)
        expect(batchesAt(settings, delivery, until - 1)).toBe(0)
        expect(batchesAt(settings, delivery, until)).toBe(1)
      }),
      { numRuns: 60 },
    )
  })

  test('is asked once for a minute, of each account, with the same answer', () => {
    const settings = emailChannel({ quiet: { fromMinutes: 1_200, toMinutes: 360 } })
    const memory = new PutOff(settings, zoneOf)
    for (let at = START; at < START + DAY; at += 7 * MINUTE + 13)
      for (const account of ['acme', 'other', null])
        expect(memory.until({ account, rangAt: at })).toBe(putOffUntil(settings, { account, rangAt: at }, zoneOf))
  })
})
