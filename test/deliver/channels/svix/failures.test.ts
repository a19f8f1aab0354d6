import type nock from 'nock'
import { describe, expect, it } from 'vitest'
import { allIsThere, application, eventType, message, nockAsSvix, shown, SVIX } from './nock-svix.ts'
import { SvixLedger, TOKEN } from './svix-ledger.ts'

nockAsSvix()

const CHANNEL = { server: SVIX }

async function ledgerWithEvent(options: Partial<Parameters<typeof SvixLedger.open>[0]> = {}): Promise<SvixLedger> {
  const ledger = await SvixLedger.open({ channel: CHANNEL, ...options })
  await ledger.ring('evt_1')
  return ledger
}

describe('429', () => {
  it('is obeyed: nothing is sent before Retry-After has passed, and then only what failed', async () => {
    const ledger = await ledgerWithEvent()
    allIsThere()
    message('evt_1').reply(429, { code: 'rate_limited', detail: 'Slow down' }, { 'retry-after': '120' })
    const error = `${SVIX} answered 429 for the message ("Slow down")`
    const row = await ledger.deliver()
    expect(row).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 429, lastError: error })
    expect(row.nextAttemptAt).toBe(ledger.clock.now() + 120_000)
    await ledger.clock.advance(119_999)
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', attempts: 1 })
    await ledger.clock.advance(1)
    message('evt_1').reply(202, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 2 })
  })
})

describe('a failure', () => {
  it.each<[number, nock.Body]>([
    [500, { code: 'server_error', detail: 'Internal' }],
    [502, '<html>Bad Gateway</html>'],
    [503, ''],
    [504, '{"detail": {"deep": [1]}}'],
  ])('%i is retried by our schedule, with one request for each attempt', async (code, body) => {
    const ledger = await ledgerWithEvent()
    allIsThere()
    for (const [attempt, wait] of [5_000, 60_000].entries()) {
      message('evt_1').reply(code, body)
      const row = await ledger.deliver()
      expect(row).toMatchObject({ state: 'pending', attempts: attempt + 1, lastStatus: code })
      expect(row.nextAttemptAt).toBe(ledger.clock.now() + wait)
      await ledger.clock.advance(wait)
    }
    message('evt_1').reply(202, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 3, lastError: null })
  })

  it.each([
    [413, { code: 'payload_too_large', detail: 'Too large' }, '("Too large")'],
    [
      422,
      {
        detail: [
          { loc: ['body'], msg: 'String too long', type: 'x' },
          { loc: [], msg: 'Bad\nlength', type: 'x' },
        ],
      },
      '("String too long; Bad?length")',
    ],
  ])('%i is repeated by the schedule and then exhausted, which the row explains', async (code, body, said) => {
    const ledger = await ledgerWithEvent({ retryMs: [5_000] })
    allIsThere()
    message('evt_1').times(2).reply(code, body)
    const lastError = `${SVIX} answered ${code} for the message ${said}; repeating it may not help, so mend what it complains of`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastError })
    await ledger.clock.advance(5_000)
    expect(await ledger.deliver()).toMatchObject({ state: 'exhausted', attempts: 2, lastStatus: code, lastError })
  })

  it.each<[number, string, { readonly body?: string; readonly headers?: Record<string, string> }]>([
    [200, 'a page', { body: '<html>Welcome</html>' }],
    [202, 'JSON without an id', { body: '{"id": 7}' }],
    [204, 'nothing', {}],
    [307, 'a redirect, which is not followed', { headers: { location: 'https://elsewhere.example/' } }],
  ])('%i with %s is not how Svix accepts a message', async (code, _, { body = '', headers = {} }) => {
    const ledger = await ledgerWithEvent()
    allIsThere()
    message('evt_1').reply(code, body, headers)
    const lastError = `${SVIX} answered ${code} for the message; a Svix server accepts otherwise: svix.server must be its final address`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastStatus: code, lastError })
  })

  it('is told in one line, however much Svix says', async () => {
    const ledger = await ledgerWithEvent()
    allIsThere()
    message('evt_1').reply(500, { code: 'x', detail: 'y'.repeat(9_000) })
    const lastError = `${SVIX} answered 500 for the message ("${'y'.repeat(200)}")`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastError })
  })

  it('410 disables nothing: Svix has no such answer', async () => {
    const ledger = await ledgerWithEvent()
    allIsThere()
    message('evt_1').reply(410, {})
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastStatus: 410 })
  })
})

describe('the token', () => {
  it.each([401, 403])('is named where %i refuses it', async (code) => {
    const ledger = await ledgerWithEvent()
    application().reply(code, { code: 'authentication_failed', detail: 'Invalid token' })
    const lastError = `${SVIX} answered ${code} for the application acme ("Invalid token"); it does not accept svix.token, or not for this: correct the token`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastStatus: code, lastError })
  })

  it('stands in no row and no log line, even where an answer echoes it', async () => {
    const ledger = await ledgerWithEvent()
    application().reply(401, { code: TOKEN, detail: `${'x'.repeat(190)} ${TOKEN} is unknown` })
    await ledger.deliver()
    await ledger.clock.advance(5_000)
    allIsThere()
    message('evt_1').reply(202, { ...Object(shown('evt_1')), echo: TOKEN })
    await ledger.deliver()
    const emitted = JSON.stringify([await ledger.attempts(), await ledger.rows(), ledger.lines])
    expect(emitted).toContain('[redacted]')
    expect(emitted).toContain('delivery.attempted')
    expect(emitted).not.toContain(TOKEN.slice(0, 12))
  })
})

describe('an event type', () => {
  it('that cannot be made keeps the row pending', async () => {
    const ledger = await ledgerWithEvent()
    application().reply(200, {})
    eventType().reply(500, {})
    const lastError = `${SVIX} answered 500 for the event type shipment.status_changed`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', attempts: 1, lastError })
  })
})
