import { describe, expect, it } from 'vitest'
import { header } from './email/read-mail.ts'
import { MailDesk } from './email/mail-desk.ts'
import { quietPolicy } from '../../../src/deliver/quiet-policy.ts'
import { formGatheredBatches } from '../../../src/deliver/channels/chat/gathering.ts'
import type { ReceivedMail } from '../../support/mail-server.ts'
import { quietAt } from '../../../src/model/quiet-hours.ts'
import { sampleEvent } from '../sample-event.ts'

const NIGHT = { fromMinutes: 20 * 60, toMinutes: 6 * 60 }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function desk(start: string, more: Partial<Parameters<typeof MailDesk.open>[0]> = {}): Promise<MailDesk> {
  return await MailDesk.open({ start, channel: { quiet: NIGHT, timeZone: 'Europe/Paris' }, ...more })
}

function amount(mail: ReceivedMail): number {
  return Number(/(\d+) events/.exec(header(mail, 'subject'))?.[1] ?? 1)
}

describe('in quiet hours', () => {
  it('nothing is sent; it is told in one message when they end', async () => {
    const at = await desk('2026-11-20T19:00:00Z')
    await at.ring(2)
    expect(await at.deliver()).toEqual([])
    expect(await at.deliverAt('2026-11-20T23:00:00Z')).toEqual([])
    await at.ring(1)
    expect(await at.deliverAt('2026-11-21T04:59:59Z')).toEqual([])
    const [row] = await at.rows()
    expect(row).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: Date.parse('2026-11-21T05:00:00Z') })
    expect(await at.store.deferredRows(at.clock.now())).toBe(3)
    expect((await at.deliverAt('2026-11-21T05:00:00Z')).map(amount)).toEqual([3])
    expect(await at.states()).toEqual(['delivered', 'delivered', 'delivered'])
    expect(await at.store.deferredRows(at.clock.now())).toBe(0)
  })

  it('what rang outside of them goes as ever', async () => {
    const at = await desk('2026-11-20T18:59:00Z')
    await at.ring(2)
    at.clock.jump(at.clock.now() + 10_000)
    expect((await at.deliver()).map(amount)).toEqual([1, 1])
    at.clock.jump(Date.parse('2026-11-21T05:00:00Z'))
    await at.ring(2)
    at.clock.jump(at.clock.now() + 10_000)
    expect((await at.deliver()).map(amount)).toEqual([1, 1])
  })

  it('after downtime over their end it is told at once, in one message, and what rang since beside it', async () => {
    const at = await desk('2026-11-20T20:00:00Z')
    await at.ring(2)
    at.clock.jump(Date.parse('2026-11-21T09:00:00Z'))
    await at.ring(1)
    at.clock.jump(at.clock.now() + 10_000)
    expect((await at.deliver()).map(amount)).toEqual([2, 1])
  })

  it('a retry waits too, and stays the message that it repeats', async () => {
    const at = await desk('2026-11-20T18:59:50Z', { retryMs: [MINUTE] })
    await at.ring(1)
    at.server.onMail = () => '451 later'
    at.clock.jump(at.clock.now() + 9_000)
    await at.deliver()
    at.server.onMail = () => null
    expect(await at.deliverAt('2026-11-20T19:30:00Z')).toEqual([])
    expect((await at.deliverAt('2026-11-21T05:00:00Z')).map(amount)).toEqual([1])
  })

  it('a test, and what a command asks for, go at once', async () => {
    const at = await desk('2026-11-20T20:00:00Z')
    const ids = await at.ring(2)
    expect((await at.deliver(ids.slice(0, 1))).map(amount)).toEqual([1])
    await at.ring(1, { type: 'shipbell.test', cause: 'test', account: null })
    expect((await at.deliver()).map((mail) => header(mail, 'subject'))).toEqual([expect.stringMatching(/^A test of /)])
  })

  it('what waits is not undelivered after a command that sent another row by itself', async () => {
    const at = await desk('2026-11-20T20:00:00Z')
    const ids = await at.ring(3)
    expect(await at.deliver()).toEqual([])
    await at.store.syncSubscriptions(at.subscriptions, at.clock.now())
    expect(await at.deliver(ids.slice(0, 1))).toHaveLength(1)
    expect(await at.store.deferredRows(at.clock.now())).toBe(2)
    expect((await at.deliverAt('2026-11-21T05:00:00Z')).map(amount)).toEqual([2])
  })

  it.each(['a command', 'the file'])(
    'what waits is told in one message also where %s shut and opened the subscription',
    async (who) => {
      const at = await desk('2026-11-20T20:00:00Z')
      await at.ring(2)
      expect(await at.deliver()).toEqual([])
      const configure = async (enabled: boolean): Promise<void> => {
        const [name, now] = ['finance', at.clock.now()]
        if (who === 'the file') await at.store.syncSubscriptions([{ name, enabled }], now)
        else if (enabled) await at.store.enable(name, { at: now, discard: false })
        else await at.store.disable(name, { reason: 'for a while', at: now })
      }
      await configure(false)
      await at.ring(1)
      at.clock.jump(at.clock.now() + HOUR)
      await configure(true)
      expect(await at.deliver()).toEqual([])
      expect(await at.store.deferredRows(at.clock.now())).toBe(3)
      expect((await at.deliverAt('2026-11-21T05:00:00Z')).map(amount)).toEqual([3])
    },
  )

  it("are on the account's clock where the subscription has none", () => {
    const zones: Readonly<Record<string, string>> = { acme: 'Asia/Tokyo', globex: 'Europe/Paris' }
    const policy = quietPolicy(
      { most: 100, form: formGatheredBatches },
      { quiet: NIGHT, zoneOf: (account) => zones[account ?? ''] ?? 'UTC' },
    )
    const now = Date.parse('2026-11-20T12:00:00Z')
    const waiting = ['acme', 'globex'].map((account) => ({
      id: account,
      subscription: 'ops',
      attempts: 0,
      dueAt: now - HOUR / 2,
      rangAt: now - HOUR / 2,
      event: sampleEvent({ account }),
    }))
    const { batches, deferred } = policy.form(waiting, { now, forced: false })
    expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([['globex']])
    expect(deferred?.map(({ until, deliveries }) => [new Date(until).toISOString(), deliveries.length])).toEqual([
      ['2026-11-20T21:00:00.000Z', 1],
    ])
  })
})

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** Those that quarters of an hour in two days lie in, as spans in UTC. */
function spans(start: string, [from, to]: readonly [string, string], timeZone = 'Europe/Paris'): readonly string[] {
  const hours = { fromMinutes: minutesOf(from), toMinutes: minutesOf(to) }
  const begin = Date.parse(start)
  const found = new Set<string>()
  for (let at = begin; at < begin + 48 * HOUR; at += 15 * MINUTE) {
    const quiet = quietAt(at, hours, timeZone)
    if (quiet !== null)
      found.add([quiet.from, quiet.until].map((each) => new Date(each).toISOString().slice(5, 16)).join(' '))
  }
  return [...found]
}

describe('quiet hours', () => {
  it.each([
    ['over midnight', '2026-11-20T12:00:00Z', '20:00', '06:00', ['11-20T19:00 11-21T05:00', '11-21T19:00 11-22T05:00']],
    ['within a day', '2026-11-20T00:00:00Z', '12:00', '13:30', ['11-20T11:00 11-20T12:30', '11-21T11:00 11-21T12:30']],
    [
      'until midnight',
      '2026-11-20T00:00:00Z',
      '22:00',
      '00:00',
      ['11-20T21:00 11-20T23:00', '11-21T21:00 11-21T23:00'],
    ],
    [
      'in the night of summer time',
      '2027-03-27T12:00:00Z',
      '22:00',
      '06:00',
      ['03-27T21:00 03-28T04:00', '03-28T20:00 03-29T04:00'],
    ],
    [
      'in the night of winter time',
      '2026-10-24T12:00:00Z',
      '22:00',
      '06:00',
      ['10-24T20:00 10-25T05:00', '10-25T21:00 10-26T05:00'],
    ],
    [
      'that end in the hour shown twice',
      '2026-10-24T12:00:00Z',
      '22:00',
      '02:30',
      ['10-24T20:00 10-25T00:30', '10-25T21:00 10-26T01:30'],
    ],
    ['that lie in the hour that is skipped', '2027-03-27T12:00:00Z', '02:30', '03:00', ['03-29T00:30 03-29T01:00']],
  ] as const)('%s', (...[, start, from, to, expected]) => {
    expect(spans(start, [from, to])).toEqual(expected)
  })

  it('hold in a zone of half hours', () => {
    expect(spans('2026-11-20T00:00:00Z', ['20:00', '06:00'], 'Asia/Kolkata')).toEqual([
      '11-19T14:30 11-20T00:30',
      '11-20T14:30 11-21T00:30',
      '11-21T14:30 11-22T00:30',
    ])
  })
})
