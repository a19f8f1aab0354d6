import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { scratchFolder } from '../../config/scratch.ts'
import { status } from '../scripted-receiver.ts'
import { Ledger } from './ledger.ts'
import { scripted } from './sending.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The schedule of a configuration that names none. */
function defaultSchedule(): readonly number[] {
  const { config } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': 'accounts: {}\n' }) })
  return config?.delivery.retryMs ?? []
}

describe('the state after an attempt', () => {
  it.each<[number, object]>([
    [200, { state: 'delivered', attempts: 1, nextAttemptAt: null, lastStatus: 200, lastError: null }],
    [204, { state: 'delivered', attempts: 1, nextAttemptAt: null, lastStatus: 204, lastError: null }],
    [302, { state: 'pending', attempts: 1, lastStatus: 302 }],
    [404, { state: 'pending', attempts: 1, lastStatus: 404 }],
    [410, { state: 'held', attempts: 1, nextAttemptAt: null, lastStatus: 410 }],
    [500, { state: 'pending', attempts: 1, lastStatus: 500 }],
  ])('that was answered %i', async (code, expected) => {
    const receiver = await scripted(status(code))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [MINUTE] })
    expect(await ledger.deliver()).toMatchObject(expected)
    expect(receiver.requests).toHaveLength(1)
  })

  it('410 disables the endpoint at once: what else is due, and what rings later, is held', async () => {
    const receiver = await scripted(status(410))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [MINUTE] })
    await ledger.ring('evt_0002')
    await ledger.deliver()
    await ledger.ring('evt_0003')
    await ledger.deliver()
    expect((await ledger.rows()).map(({ state }) => state)).toEqual(['held', 'held', 'held'])
    expect(receiver.requests).toHaveLength(1)
    const [endpoint] = await ledger.store.endpoints()
    expect(endpoint?.disabled).toMatchObject({ reason: `${receiver.url} answered 410 Gone` })
  })

  it('keeps each attempt: when, how long, status, reason and the beginning of the answer', async () => {
    const receiver = await scripted(status(500, {}, 'boom'))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [MINUTE] })
    await ledger.deliver()
    expect(await ledger.attempts()).toEqual([
      { at: ledger.clock.now(), durationMs: 0, status: 500, error: `${receiver.url} answered 500`, answer: 'boom' },
    ])
  })
})

describe('the next attempt', () => {
  it.each<[string, { scheduled: number; random: number; header?: string; expected: number }]>([
    ['waits as scheduled', { scheduled: 5 * MINUTE, random: 0, expected: 5 * MINUTE }],
    ['waits up to 20 % longer', { scheduled: 5 * MINUTE, random: 0.5, expected: 5.5 * MINUTE }],
    ['waits never more than 20 % longer', { scheduled: 5 * MINUTE, random: 0.999_999_9, expected: 6 * MINUTE }],
    ['waits for Retry-After', { scheduled: MINUTE, random: 0, header: '3600', expected: HOUR }],
    [
      'waits for a date in Retry-After',
      { scheduled: MINUTE, random: 0, header: 'Sat, 21 Nov 2026 09:00:00 GMT', expected: HOUR },
    ],
    ['waits for Retry-After at most a day', { scheduled: MINUTE, random: 0, header: '9999999', expected: DAY }],
    [
      'waits as scheduled where that is later than Retry-After',
      { scheduled: HOUR, random: 0, header: '60', expected: HOUR },
    ],
    [
      'waits as scheduled where Retry-After is garbage',
      { scheduled: MINUTE, random: 0, header: 'soon', expected: MINUTE },
    ],
    [
      'waits as scheduled where Retry-After is past',
      { scheduled: MINUTE, random: 0, header: 'Sat, 21 Nov 2026 07:00:00 GMT', expected: MINUTE },
    ],
  ])('%s', async (_, { scheduled, random, header, expected }) => {
    const answered = header === undefined ? {} : { 'retry-after': header, date: 'Sat, 21 Nov 2026 08:00:00 GMT' }
    const receiver = await scripted(status(503, answered))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [scheduled], random })
    const { nextAttemptAt } = await ledger.deliver()
    expect((nextAttemptAt ?? 0) - ledger.clock.now()).toBe(expected)
  })
})

describe('n entries are n retries after the first attempt, then exhausted', () => {
  it.each<readonly [string, () => readonly number[]]>([
    ['one entry', () => [MINUTE]],
    ['entries without a wait', () => [0, 0, 0]],
    ['longer and longer', () => [MINUTE, HOUR, DAY]],
    ['the default', defaultSchedule],
  ])('%s', async (_, schedule) => {
    const retryMs = schedule()
    const receiver = await scripted(status(500))
    const ledger = await Ledger.open({ url: receiver.url, retryMs })
    const waits: number[] = []
    for (let row = await ledger.deliver(); row.state === 'pending'; row = await ledger.deliver()) {
      waits.push((row.nextAttemptAt ?? 0) - ledger.clock.now())
      ledger.clock.jump(row.nextAttemptAt ?? 0)
    }
    expect(await ledger.row()).toMatchObject({ state: 'exhausted', attempts: retryMs.length + 1, nextAttemptAt: null })
    expect(receiver.requests).toHaveLength(retryMs.length + 1)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['evt_0001']))
    if (retryMs.every((wait) => wait > 0)) expect(waits).toEqual(retryMs)
  })

  it('the default schedule outlasts the 5 days after which an endpoint is disabled', () => {
    const schedule = defaultSchedule()
    expect(schedule.map((wait) => wait / MINUTE)).toEqual([
      5 / 60,
      5,
      30,
      120,
      300,
      600,
      840,
      1200,
      1440,
      1440,
      1440,
      1440,
    ])
    expect(schedule.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(5 * DAY)
  })

  it('an exhausted delivery is kept for replay and sent no more by itself', async () => {
    const receiver = await scripted(status(500))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [0] })
    await ledger.deliver()
    ledger.clock.jump(ledger.clock.now() + 30 * DAY)
    expect(await ledger.deliver()).toMatchObject({ state: 'exhausted' })
    expect(receiver.requests).toHaveLength(2)
  })

  it('one success after failures ends it', async () => {
    const receiver = await scripted(status(500))
    const ledger = await Ledger.open({ url: receiver.url, retryMs: [0, MINUTE] })
    await ledger.deliver()
    receiver.answer = status(200)
    ledger.clock.jump(ledger.clock.now() + MINUTE)
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 3, lastStatus: 200, lastError: null })
  })
})
