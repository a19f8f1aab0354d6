import { describe, expect, test } from 'vitest'
import type { TellableDelivery } from '../../src/deliver/batches.ts'
import { MessageCount } from '../../src/deliver/message-count.ts'
import { PutOff } from '../../src/deliver/put-off.ts'
import type { ChannelSettings } from '../../src/model/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { emailChannel } from './channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from './channels/peoples-channel.ts'
import { sampleEvent } from './sample-event.ts'

const START = Date.UTC(2026, 10, 20, 12)
const SECOND = 1_000
const HOUR = 3_600_000
const POSTED = { ...PEOPLES_CHANNEL, url: 'https://chat.example/x', hidden: [], timeoutMs: 1, concurrency: 1 }
const TEAMS: ChannelSettings = { kind: 'teams', ...POSTED }
const SLACK_APP: ChannelSettings = {
  kind: 'slack',
  ...POSTED,
  app: { token: 'xoxb-1', channel: 'C0123', signingSecret: null },
}

/** When an event rang, of which shipment. */
type Rung = readonly [at: number, shipment: string]

function messages(channel: ChannelSettings, rung: readonly Rung[]): number {
  const count = new MessageCount(channel)
  const putOff = new PutOff(channel, () => 'UTC')
  for (const [nth, [after, id]] of rung.entries()) {
    const rangAt = START + after
    const { account, cause, sequence, subject, shipment } = sampleEvent()
    const event = { account, cause, sequence, subject: { ...subject, id }, shipment: shipment && { ...shipment, id } }
    const shown = (): TellableDelivery => {
      return { id: `dlv_${nth}`, subscription: 'ops', attempts: 0, dueAt: rangAt, rangAt, event }
    }
    count.add({ rangAt, shown, until: putOff.until({ account: 'acme', rangAt }) })
  }
  return count.end()
}

const burst = (amount: number, at = 0): readonly Rung[] =>
  Array.from({ length: amount }, (_, nth) => [at + nth, `SHP-${nth}`])

const NIGHT = { fromMinutes: 1_200, toMinutes: 360 }
const OF_ONE: readonly Rung[] = [
  [0, 'A'],
  [4 * SECOND, 'A'],
  [20 * SECOND, 'A'],
]
const STEADY = Array.from({ length: 40 }, (_, nth): Rung => [nth * 4 * SECOND, 'A'])

describe('messages', () => {
  test.each<[string, ChannelSettings, { readonly rung: readonly Rung[]; readonly expected: number }]>([
    ['of a webhook are its events', webhookChannel(), { rung: burst(9), expected: 9 }],
    [
      'of a chat tell a few records each, and many in one',
      TEAMS,
      { rung: [...burst(5), ...burst(6, HOUR)], expected: 6 },
    ],
    ['of a chat tell what comes of one shipment within seconds', TEAMS, { rung: OF_ONE, expected: 2 }],
    ['of a chat wait no longer than a minute', TEAMS, { rung: STEADY, expected: 3 }],
    ['of an app are one for each shipment', SLACK_APP, { rung: [...burst(9), ...burst(9, HOUR)], expected: 18 }],
    ['of mail are one of a burst', emailChannel(), { rung: [...burst(5), ...burst(6, HOUR)], expected: 6 }],
    [
      'of a digest are one a day with news',
      emailChannel({ digest: { atMinutes: 480, timeZone: 'UTC' } }),
      { rung: [...burst(9), ...burst(9, HOUR), ...burst(1, 72 * HOUR)], expected: 2 },
    ],
    [
      'of a night are one, and others as ever',
      { ...TEAMS, quiet: NIGHT },
      { rung: [...burst(2), ...burst(9, 9 * HOUR), ...burst(9, 12 * HOUR)], expected: 3 },
    ],
    [
      'of an app in a night are one for each shipment',
      { ...SLACK_APP, quiet: NIGHT },
      { rung: [...burst(3, 9 * HOUR), ...burst(3, 12 * HOUR)], expected: 3 },
    ],
    ['of nothing are none', TEAMS, { rung: [], expected: 0 }],
  ])('%s', (_, channel, { expected, rung }) => {
    expect(messages(channel, rung)).toBe(expected)
  })

  test('are counted in time where thousands come at once', { tags: 'long' }, () => {
    expect(messages(TEAMS, burst(20_000))).toBe(20)
    expect(messages(emailChannel({ digest: { atMinutes: 480, timeZone: 'UTC' } }), burst(20_001))).toBe(2)
  })
})
