import { describe, expect, it, vi } from 'vitest'
import type { DeliveryStore } from '../../../../src/store/ports/delivery-port.ts'
import { amount, describeClockChanges, desk, PARIS } from './digest-desk.ts'
import { header, readMail } from './read-mail.ts'
import { MailDesk } from './mail-desk.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('one mail a day', () => {
  it('tells at its hour what rang before it, and the ledger shows when that is', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    await at.ring(3)
    expect(await at.deliver()).toEqual([])
    const [row] = await at.rows()
    expect(row).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: Date.parse('2026-11-21T07:00:00Z') })
    expect(await at.store.deferredRows(at.clock.now())).toBe(3)
    at.clock.jump(Date.parse('2026-11-20T22:00:00Z'))
    await at.ring(2)
    expect(await at.deliverAt('2026-11-21T06:59:59Z')).toEqual([])
    const mails = await at.deliverAt('2026-11-21T07:00:00Z')
    expect(mails.map(amount)).toEqual([5])
    expect(header(mails[0] ?? at.server.only, 'subject')).toBe('acme, Sat 21 Nov: 5 events')
    expect(await at.states()).toEqual(Array.from({ length: 5 }, () => 'delivered'))
    expect(await at.store.deferredRows(at.clock.now())).toBe(0)
  })

  it('is none where there is nothing to tell', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    await at.ring()
    await at.deliverAt('2026-11-21T07:00:00Z')
    for (const day of ['2026-11-22', '2026-11-23']) expect(await at.deliverAt(`${day}T07:00:00Z`)).toEqual([])
    expect(at.server.mails).toHaveLength(1)
  })

  it('what rings at the hour itself is told the next day', async () => {
    const at = await desk('2026-11-21T07:00:00Z')
    await at.ring()
    expect(await at.deliver()).toEqual([])
    expect((await at.deliverAt('2026-11-22T07:00:00Z')).map(amount)).toEqual([1])
  })

  it('tells what was seen before the hour and is committed after the mail went in the next one', async () => {
    const at = await desk('2026-11-21T06:00:00Z')
    await at.ring(2)
    expect((await at.deliverAt('2026-11-21T07:00:00Z')).map(amount)).toEqual([2])
    at.clock.jump(at.clock.now() + 200)
    await at.ring(1, { timestamp: Date.parse('2026-11-21T06:59:59Z') })
    expect(await at.deliver()).toEqual([])
    expect((await at.deliverAt('2026-11-22T07:00:00Z')).map(amount)).toEqual([1])
  })

  it('goes at its hour while the daemon runs, without anybody waking it', async () => {
    const at = await desk('2026-11-21T06:58:00Z')
    await at.ring(2)
    const stop = new AbortController()
    await using deliverer = at.deliverer()
    const running = deliverer.run(stop.signal)
    await at.clock.advance(MINUTE)
    expect(at.server.mails).toEqual([])
    await at.clock.advance(MINUTE)
    await vi.waitFor(() => expect(at.server.mails).toHaveLength(1))
    stop.abort()
    await running
    expect(await at.states()).toEqual(['delivered', 'delivered'])
  })
})

describe('one mail a week', () => {
  const WEEKLY = { ...PARIS, every: 'week' } as const

  it('goes on Monday at its hour, and tells the week', async () => {
    const at = await MailDesk.open({ start: '2026-11-17T10:00:00Z', channel: { digest: WEEKLY } })
    for (let day = 0; day < 5; day += 1) {
      await at.ring(1)
      expect(await at.deliver()).toEqual([])
      at.clock.jump(at.clock.now() + 24 * HOUR)
    }
    const [row] = await at.rows()
    expect(row).toMatchObject({ state: 'pending', nextAttemptAt: Date.parse('2026-11-23T07:00:00Z') })
    expect(await at.deliverAt('2026-11-23T06:59:59Z')).toEqual([])
    const mails = await at.deliverAt('2026-11-23T07:00:00Z')
    expect(mails.map((mail) => header(mail, 'subject'))).toEqual(['acme, Week of Mon 16 Nov: 5 events'])
    await at.ring(1)
    expect(await at.deliverAt('2026-11-24T07:00:00Z')).toEqual([])
    expect((await at.deliverAt('2026-11-30T07:00:00Z')).map(amount)).toEqual([1])
  })

  it.each([
    ['when summer time begins', '2027-03-23T10:00:00Z', '2027-03-29T06:00:00Z'],
    ['when it ends', '2026-10-20T10:00:00Z', '2026-10-26T07:00:00Z'],
    ['on the Monday itself before its hour', '2026-11-23T06:00:00Z', '2026-11-23T07:00:00Z'],
    ['on the Monday itself after its hour', '2026-11-23T08:00:00Z', '2026-11-30T07:00:00Z'],
    ['on a Sunday', '2026-11-22T23:30:00Z', '2026-11-23T07:00:00Z'],
  ])('%s', async (...[, start, expected]) => {
    const at = await MailDesk.open({ start, channel: { digest: WEEKLY } })
    await at.ring(1)
    await at.deliver()
    expect((await at.rows())[0]?.nextAttemptAt).toBe(Date.parse(expected))
  })
})

describe('after downtime', () => {
  it('over the hour it is caught up, and what rang since waits for the next', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    await at.ring(2)
    await at.deliver()
    at.clock.jump(Date.parse('2026-11-21T09:30:00Z'))
    await at.ring(1)
    const mails = await at.deliver()
    expect(mails.map(amount)).toEqual([2])
    expect(header(mails[0] ?? at.server.only, 'subject')).toContain('Sat 21 Nov')
    expect(await at.deliverAt('2026-11-22T06:59:00Z')).toEqual([])
    expect((await at.deliverAt('2026-11-22T07:00:00Z')).map(amount)).toEqual([1])
  })

  it('of days it is one mail', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    for (let day = 0; day < 4; day += 1) {
      await at.ring(2)
      at.clock.jump(at.clock.now() + 24 * HOUR)
    }
    expect((await at.deliver()).map(amount)).toEqual([8])
    expect(await at.deliver()).toEqual([])
  })
})

describeClockChanges([
  ['Europe/Paris', '02:30', '2027-03-26T12:00:00Z', ['03-27T01:30', '03-28T01:30', '03-29T00:30']],
  ['Europe/Paris', '02:30', '2026-10-23T12:00:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
])

describe('where the clock is set', () => {
  const HOURS = [
    ['3 hours', 3 * HOUR],
    ['10 days', 240 * HOUR],
    ['a year', 366 * 24 * HOUR],
  ] as const

  it.each(HOURS)('back by %s, what rang before is told at its next hour at the latest, once', async (_, ms) => {
    const at = await desk('2026-11-21T06:30:00Z')
    await using daemon = at.deliverer()
    const now = at.clock.now()
    at.clock.set(now + ms)
    await at.ring(2)
    await daemon.drain(new AbortController().signal)
    at.clock.set(now)
    for (let minute = 0; minute <= 30; minute += 10) {
      await daemon.drain(new AbortController().signal)
      at.clock.jump(at.clock.now() + 10 * MINUTE)
    }
    expect(at.server.mails.map(amount)).toEqual([2])
  })

  it.each(HOURS)('back by %s before the next process, likewise, though that comes but once a day', async (_, ms) => {
    const at = await desk('2026-11-21T06:30:00Z')
    const now = at.clock.now()
    at.clock.set(now + ms)
    await at.ring(2)
    await at.deliver()
    at.clock.set(now)
    for (let day = 0; day < 2; day += 1) {
      await at.store.syncSubscriptions(at.subscriptions, at.clock.now())
      await at.deliver()
      at.clock.jump(at.clock.now() + 24 * HOUR)
    }
    expect(at.server.mails.map(amount)).toEqual([2])
  })

  it('forwards past the hour, it goes at once, and so does what waits for an hour that was brought near', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    await using daemon = at.deliverer()
    await at.ring(2)
    await daemon.drain(new AbortController().signal)
    at.clock.set(Date.parse('2026-11-21T06:59:00Z'))
    await daemon.drain(new AbortController().signal)
    expect(at.server.mails).toEqual([])
    at.clock.jump(Date.parse('2026-11-21T07:00:00Z'))
    await daemon.drain(new AbortController().signal)
    expect(at.server.mails.map(amount)).toEqual([2])
    await at.ring(1)
    await daemon.drain(new AbortController().signal)
    at.clock.set(Date.parse('2026-11-29T12:00:00Z'))
    await daemon.drain(new AbortController().signal)
    expect(at.server.mails.map(amount)).toEqual([2, 1])
  })
})

describe('a mail that fails', () => {
  it('is repeated as it was, and what rings meanwhile waits for the next hour', async () => {
    const at = await desk('2026-11-21T06:00:00Z')
    await at.ring(3)
    at.server.onMail = () => '451 Not now'
    expect(await at.deliverAt('2026-11-21T07:00:00Z')).toEqual([])
    expect((await at.rows()).map(({ attempts, lastStatus }) => [attempts, lastStatus])).toEqual([
      [1, 451],
      [1, 451],
      [1, 451],
    ])
    at.clock.jump(Date.parse('2026-11-21T07:00:30Z'))
    await at.ring(2)
    at.server.onMail = () => null
    expect((await at.deliverAt('2026-11-21T07:01:00Z')).map(amount)).toEqual([3])
    expect((await at.deliverAt('2026-11-22T07:00:00Z')).map(amount)).toEqual([2])
  })

  it('for good is repeated in halves: one event that is refused takes no other with it', async () => {
    const at = await MailDesk.open({
      start: '2026-11-21T06:00:00Z',
      channel: { digest: PARIS },
      retryMs: Array.from({ length: 12 }, () => MINUTE),
    })
    const bad = (await at.ring(11))[6]
    at.server.onMail = ({ raw }) => (raw.includes('SHP-7') ? '554 Looks like spam' : null)
    const mails = [...(await at.deliverAt('2026-11-21T07:00:00Z'))]
    while ((await at.states()).includes('pending')) {
      at.clock.jump(at.clock.now() + 1)
      mails.push(...(await at.deliver()))
    }
    const exhausted = (await at.rows()).filter(({ state }) => state === 'exhausted')
    expect(exhausted.map(({ id }) => id)).toEqual([bad])
    const emitted = mails.flatMap((mail) => readMail(mail).text.match(/SHP-\d+/g) ?? [])
    expect([...new Set(emitted)]).toHaveLength(10)
    expect(mails.map((mail) => amount(mail)).reduce((sum, each) => sum + each, 0)).toBe(10)
    expect(mails.length).toBeLessThanOrEqual(4)
  })

  it('for good is exhausted in the end, and the next one is sent', async () => {
    const at = await desk('2026-11-21T06:00:00Z')
    await at.ring(4)
    at.server.onMail = () => '554 Looks like spam'
    await at.deliverAt('2026-11-21T07:00:00Z')
    await at.deliverAt('2026-11-21T07:00:01Z')
    expect(await at.states()).toEqual(Array.from({ length: 4 }, () => 'exhausted'))
    at.server.onMail = () => null
    await at.ring(1)
    expect((await at.deliverAt('2026-11-22T07:00:00Z')).map(amount)).toEqual([1])
    const [endpoint] = await at.store.endpoints()
    expect(endpoint?.disabled).toBeNull()
  })

  it('over the next hour is a mail of its own, of its own day', async () => {
    const at = await MailDesk.open({ start: '2026-11-21T06:00:00Z', channel: { digest: PARIS }, retryMs: [24 * HOUR] })
    await at.ring(2)
    at.server.onMail = () => '451 Not now'
    await at.deliverAt('2026-11-21T07:00:00Z')
    at.server.onMail = () => null
    await at.ring(3)
    const mails = await at.deliverAt('2026-11-22T07:00:00Z')
    expect(mails.map((mail) => header(mail, 'subject')).toSorted()).toEqual([
      'acme, Sat 21 Nov: 2 events',
      'acme, Sun 22 Nov: 3 events',
    ])
  })
})

describe('a process that dies between the mail and the ledger', () => {
  it('sends the same mail again: the same Message-ID, the same text', async () => {
    const at = await desk('2026-11-21T06:00:00Z')
    await at.ring(4)
    at.clock.jump(Date.parse('2026-11-21T07:00:00Z'))
    const dying: DeliveryStore = {
      ...at.store,
      settle: async () => {
        await Promise.reject(new Error('killed'))
      },
    }
    await using deliverer = at.deliverer(dying)
    const drained = deliverer.drain(new AbortController().signal).catch(() => undefined)
    await vi.waitFor(() => expect(at.server.mails).toHaveLength(1))
    let ended = false
    void drained.then(() => (ended = true))
    await vi.waitFor(async () => {
      await at.clock.advance(1_000)
      expect(ended).toBe(true)
    })
    await at.store.recoverClaims()
    await at.deliver()
    const [first, second] = at.server.mails
    if (first === undefined || second === undefined) throw new Error('it was not sent again')
    expect(header(second, 'message-id')).toBe(header(first, 'message-id'))
    expect(readMail(second).text).toBe(readMail(first).text)
    expect(await at.deliver()).toEqual([])
    expect(await at.states()).toEqual(Array.from({ length: 4 }, () => 'delivered'))
  })
})

describe('at once goes', () => {
  it('a test event, as a mail of its own', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    await at.ring(2)
    await at.ring(1, { type: 'shipbell.test', cause: 'test', extras: { subscription: 'finance', message: 'A test.' } })
    const mails = await at.deliver()
    expect(mails.map((mail) => header(mail, 'subject'))).toEqual([expect.stringMatching(/^A test/)])
    expect(await at.states()).toEqual(['pending', 'pending', 'delivered'])
  })

  it('what a command sends itself', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    const [first, second] = await at.ring(3)
    expect((await at.deliver([first ?? '', second ?? ''])).map(amount)).toEqual([2])
    expect(await at.states()).toEqual(['delivered', 'delivered', 'pending'])
  })

  it('what a command makes due for the daemon', async () => {
    const at = await desk('2026-11-20T10:00:00Z')
    const [first = ''] = await at.ring(3)
    await at.deliver()
    at.clock.jump(at.clock.now() + MINUTE)
    await at.store.retry([first], { at: at.clock.now(), delivered: false })
    expect((await at.deliver()).map(amount)).toEqual([1])
    expect(await at.states()).toEqual(['delivered', 'pending', 'pending'])
  })
})

it('thousands are one mail', async () => {
  const at = await desk('2026-11-20T10:00:00Z')
  await at.ring(1_500)
  await at.deliver()
  const mails = await at.deliverAt('2026-11-21T07:00:00Z')
  expect(mails.map(amount)).toEqual([1_500])
  expect(readMail(at.server.only).text).toMatch(/And \d{4} more shipments and records/)
})
