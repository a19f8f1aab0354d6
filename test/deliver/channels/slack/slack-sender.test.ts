import { describe, expect, it } from 'vitest'
import type { DeliveryStore } from '../../../../src/store/ports/delivery-port.ts'
import { hang, type ScriptedReceiver, status } from '../../scripted-receiver.ts'
import { until } from '../../until.ts'
import { HOOK, OK, SlackLedger } from './slack-ledger.ts'
import { shownTexts } from './slack-limits.ts'

const SECOND = 1_000

/** What becomes of one event. */
async function answered(answer: ScriptedReceiver['answer']) {
  const ledger = await SlackLedger.open(answer)
  await ledger.ring(1)
  await ledger.drain()
  const [row] = await ledger.rows()
  return { ledger, state: row?.state, error: row?.lastError?.replace(ledger.slack.url, 'SLACK') }
}

describe('a burst', () => {
  it('of 500 is one message, and every row of it is delivered', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(500)
    await ledger.drain()
    expect(ledger.headlines).toEqual(['500 shipment events of acme'])
    expect(await ledger.states()).toEqual({ delivered: 500 })
  })

  it('of five is five messages, oldest first, of six is one', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(5)
    await ledger.drain()
    expect(ledger.headlines).toEqual(
      [1, 2, 3, 4, 5].map((nth) => `Shipment Ünïcode ☃ (SHP-${nth}) went from draft to booked.`),
    )
    await ledger.ring(6)
    await ledger.drain()
    expect(ledger.headlines.slice(5)).toEqual(['6 shipment events of acme'])
  })

  it('of several accounts and kinds is told apart', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(7)
    await ledger.ring(8, { account: 'globex' })
    await ledger.ring(9, { resource: 'invoice' })
    await ledger.drain()
    expect(ledger.headlines).toEqual([
      '7 shipment events of acme',
      '8 shipment events of globex',
      '9 invoice events of acme',
    ])
  })

  it(
    'whose pages come one after another is one message, once five seconds brought no more',
    { tags: 'long' },
    async () => {
      const ledger = await SlackLedger.open()
      ledger.running()
      for (let page = 0; page < 5; page += 1) {
        await ledger.ring(100, { age: 0 })
        await ledger.clock.advance(4 * SECOND)
      }
      expect(ledger.headlines).toEqual([])
      await ledger.clock.advance(1.5 * SECOND)
      await ledger.slack.received(1)
      expect(ledger.headlines).toEqual(['500 shipment events of acme'])
    },
  )

  it('that does not end is told after a minute', async () => {
    const ledger = await SlackLedger.open()
    ledger.running()
    for (let second = 0; second < 61; second += 4) {
      await ledger.ring(1, { age: 0 })
      await ledger.clock.advance(4 * SECOND)
    }
    await ledger.slack.received(1)
    expect(ledger.headlines[0]).toMatch(/^1[56] shipment events of acme$/)
  })

  it('is waited for where everything is sent before the end, as by `once`', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(3, { age: 0 })
    let ended = false
    const drained = ledger.drain().then(() => (ended = true))
    await until(() => ledger.clock.nextWakeAt !== null)
    await ledger.clock.advance(4 * SECOND)
    expect([ended, ledger.headlines]).toEqual([false, []])
    await ledger.clock.advance(SECOND)
    await drained
    expect(await ledger.states()).toEqual({ delivered: 3 })
  })

  it('that was asked for by command goes at once and whole, however many places there are', async () => {
    const ledger = await SlackLedger.open()
    for (const account of ['a', 'b', 'c']) await ledger.ring(3, { age: 0, account })
    await ledger.ring(7, { age: 0, resource: 'invoice' })
    const rows = await ledger.rows()
    await ledger.drain({ only: rows.map(({ id }) => id) })
    expect(ledger.headlines).toHaveLength(10)
    expect(ledger.headlines).toContain('7 invoice events of acme')
    expect((await ledger.rows()).map(({ attempts }) => attempts)).toEqual(rows.map(() => 1))
  })

  it('of many kinds costs the store no more than what is sent', { tags: 'long' }, async () => {
    const ledger = await SlackLedger.open()
    for (let account = 0; account < 60; account += 1) await ledger.ring(2, { account: `a${account}` })
    const claims: number[] = []
    const claim: DeliveryStore['claim'] = async (request) => {
      const rows = await ledger.store.claim(request)
      if (rows.length > 0) claims.push(rows.length)
      return rows
    }
    await ledger.drain({ store: { ...ledger.store, claim } })
    expect(await ledger.states()).toEqual({ delivered: 120 })
    expect(claims).toEqual(ledger.slack.requests.map(() => 1))
  })

  it('goes without a row that a command took away since it was looked at', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(7)
    const waiting: DeliveryStore['waiting'] = async (request) => {
      const [first, ...rest] = await ledger.store.waiting(request)
      return first === undefined ? [] : [{ ...first, id: 'dlv_gone' }, first, ...rest]
    }
    await ledger.drain({ store: { ...ledger.store, waiting } })
    expect(ledger.headlines).toEqual(['7 shipment events of acme'])
    expect(await ledger.states()).toEqual({ delivered: 7 })
  })

  it('of more than is looked at comes in several messages', { tags: 'long' }, async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(1_300)
    await ledger.drain()
    expect(ledger.headlines).toEqual(['1000 shipment events of acme', '300 shipment events of acme'])
    expect(await ledger.states()).toEqual({ delivered: 1_300 })
  })
})

describe('what Slack answers', () => {
  it.each<[number, string, string]>([
    [404, 'no_service', ': no_service (the webhook is disabled or was removed: make a new one)'],
    [403, 'invalid_token', ': invalid_token (the url is not whole, or the webhook was revoked: make a new one)'],
    [
      403,
      'action_prohibited',
      ': action_prohibited (an administrator of the workspace does not allow this webhook to post there)',
    ],
    [400, 'invalid_blocks', ': invalid_blocks'],
    [500, 'rollup_error', ': rollup_error'],
    [503, '', ''],
    [400, 'constructor', ': constructor'],
    [
      410,
      'channel_is_archived',
      ' Gone: channel_is_archived (unarchive the channel, or make a webhook for another one)',
    ],
  ])('%i %s leaves the row with Slack’s own word', async (code, word, said) => {
    expect(await answered(status(code, {}, word))).toMatchObject({ error: `SLACK answered ${code}${said}` })
  })

  it.each([
    ['', ''],
    ['no_text', ': no_text'],
    ['{"ok":false,"error":"x"}', ': {"ok":false,"error":"x"}'],
    [`<html>\n\u202e${'x'.repeat(500)}`, `: <html> ${'x'.repeat(93)}`],
  ])('200 with %j instead of `ok` is a failure', async (body, said) => {
    const error = `SLACK answered 200 without Slack's \`ok\`${said}: the url must be that of an incoming webhook`
    expect(await answered(status(200, {}, body))).toMatchObject({ state: 'pending', error })
  })

  it('`ok` delivers', async () => {
    expect(await answered(status(200, {}, 'ok\n'))).toMatchObject({ state: 'delivered', error: undefined })
  })

  it('410 disables the endpoint', async () => {
    const { ledger, state } = await answered(status(410, {}, 'channel_is_archived'))
    expect(state).toBe('held')
    const [endpoint] = await ledger.store.endpoints()
    expect(endpoint?.disabled?.reason).toContain('channel_is_archived')
  })

  it('never shows the url, nor a part of it that opens the channel', async () => {
    const { ledger, error } = await answered(({ path, response }) => {
      const token = path.split('/').at(-1) ?? ''
      response.writeHead(404).end(`no ${path} here, ${response.req.headers.host}${path} nor ${token}`)
    })
    expect(error).toContain('[redacted]')
    const [row] = await ledger.rows()
    const kept = JSON.stringify([
      row,
      await ledger.store.attempts(row?.id ?? ''),
      await ledger.store.endpoints(),
      ledger.log,
    ])
    expect(kept).toContain('evt_00001')
    for (const secret of [HOOK, HOOK.split('/').at(-1) ?? '', 'T0AAAAAA']) expect(kept).not.toContain(secret)
  })

  it('a time-out is told without the url', async () => {
    const ledger = await SlackLedger.open(hang)
    await ledger.ring(1)
    ledger.running()
    await ledger.slack.received(1)
    await ledger.clock.advance(15 * SECOND)
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    expect((await ledger.rows())[0]?.lastError).toBe(`${ledger.slack.url} did not answer within 15s`)
  })
})

it('gathers what rings together, however long ago it was seen to change', async () => {
  const ledger = await SlackLedger.open()
  ledger.storedAt = ledger.clock.now()
  ledger.running()
  await ledger.ring(6, { age: 7_200 * SECOND })
  await ledger.clock.advance(2 * SECOND)
  ledger.storedAt = ledger.clock.now()
  await ledger.ring(6, { age: 7_200 * SECOND })
  await ledger.clock.advance(10 * SECOND)
  await until(async () => (await ledger.states())['delivered'] === 12)
  expect(ledger.slack.requests).toHaveLength(1)
})

describe('429', () => {
  it('with Retry-After is obeyed by that message and by all others, which lose no attempt', async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '30' }, 'rate_limited'))
    await ledger.ring(1)
    ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    expect((await ledger.rows())[0]).toMatchObject({
      state: 'pending',
      nextAttemptAt: ledger.clock.now() + 30 * SECOND,
      lastError: `${ledger.slack.url} answered 429: rate_limited`,
    })
    await ledger.ring(3, { resource: 'invoice' })
    ledger.slack.answer = OK
    await ledger.clock.advance(29 * SECOND)
    expect(ledger.slack.requests).toHaveLength(1)
    await ledger.clock.advance(2 * SECOND)
    await ledger.slack.received(5)
    await until(async () => (await ledger.states())['delivered'] === 4)
    expect((await ledger.rows()).map(({ attempts }) => attempts)).toEqual([2, 1, 1, 1])
  })

  it.each([
    ['while the daemon runs', false],
    ['before the next one', true],
  ])('lasts no longer where the clock is set back %s', async (_, restarts) => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '30' }))
    await ledger.ring(1)
    const first = ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    if (restarts) await first.stop()
    ledger.clock.set(ledger.clock.now() - 3_600 * SECOND)
    if (restarts) ledger.running()
    await ledger.ring(1, { resource: 'invoice', age: 120 * SECOND })
    ledger.slack.answer = OK
    await ledger.clock.advance(29 * SECOND)
    expect(ledger.slack.requests).toHaveLength(1)
    await ledger.clock.advance(3 * SECOND)
    await ledger.slack.received(3)
  })

  it('rests one webhook: what takes its place is posted to at once', async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    await ledger.ring(1)
    ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    await ledger.ring(2, { resource: 'invoice' })
    await ledger.clock.advance(2 * SECOND)
    ledger.slack.answer = OK
    const { channel } = ledger.subscription
    if (channel.kind !== 'slack') throw new Error('another channel')
    ledger.subscription = {
      ...ledger.subscription,
      channel: { ...channel, url: `${ledger.slack.url}/services/T1/B1/other` },
    }
    await ledger.clock.advance(2 * SECOND)
    await until(async () => (await ledger.states())['delivered'] === 2)
  })

  it('rests what else is told by the same webhook', { tags: 'long' }, async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    ledger.others = [{ ...ledger.subscription, name: 'also' }]
    await ledger.store.syncSubscriptions([ledger.subscription, ...ledger.others], ledger.clock.now())
    await ledger.ring(1)
    ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    ledger.slack.answer = OK
    await ledger.ring(1, { to: 'also' })
    await ledger.clock.advance(1_800 * SECOND)
    expect(ledger.slack.requests).toHaveLength(1)
    await ledger.clock.advance(1_801 * SECOND)
    await until(async () => (await ledger.states())['delivered'] === 2)
  })

  it('is not forgotten with the process, nor with the settings that were sent by', { tags: 'long' }, async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    await ledger.ring(1)
    await ledger.drain()
    await ledger.ring(2, { resource: 'invoice' })
    ledger.slack.answer = OK
    await ledger.drain()
    expect(ledger.slack.requests).toHaveLength(1)
    ledger.running()
    await ledger.clock.advance(20 * SECOND)
    const { channel } = ledger.subscription
    ledger.subscription = { ...ledger.subscription, channel: { ...channel, timeoutMs: 7 * SECOND } }
    await ledger.clock.advance(20 * SECOND)
    expect(ledger.slack.requests).toHaveLength(1)
    await ledger.clock.advance(3_600 * SECOND)
    await until(async () => (await ledger.states())['delivered'] === 3)
  })

  it('keeps no command from sending', async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    await ledger.ring(1)
    await ledger.drain()
    await ledger.ring(1, { resource: 'invoice' })
    ledger.slack.answer = OK
    const [, asked] = await ledger.rows()
    await ledger.drain({ only: [asked?.id ?? ''] })
    expect((await ledger.rows()).map(({ state }) => state)).toEqual(['pending', 'delivered'])
  })

  it('rests no test', async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    await ledger.ring(1)
    ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    ledger.slack.answer = OK
    await ledger.ring(1, { cause: 'test', resource: 'invoice' })
    await ledger.clock.advance(20 * SECOND)
    await until(async () => (await ledger.states())['delivered'] === 1)
  })

  it('rests no test behind any backlog', { tags: 'long' }, async () => {
    const ledger = await SlackLedger.open(status(429, { 'retry-after': '3600' }))
    await ledger.ring(1)
    ledger.running()
    await until(async () => (await ledger.rows())[0]?.attempts === 1)
    await ledger.ring(1_200)
    ledger.slack.answer = OK
    await ledger.ring(1, { cause: 'test', resource: 'invoice' })
    await ledger.clock.advance(20 * SECOND)
    await until(async () => (await ledger.states())['delivered'] === 1)
  })

  it('without it follows the schedule', async () => {
    const ledger = await SlackLedger.open(status(429))
    await ledger.ring(6)
    await ledger.drain()
    expect((await ledger.rows()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
      Array.from({ length: 6 }, () => ledger.clock.now() + 5 * SECOND),
    )
  })
})

describe('again', () => {
  it('a burst that failed is repeated as it was, until the schedule ends', async () => {
    const ledger = await SlackLedger.open(status(500))
    await ledger.ring(20)
    ledger.running({ retryMs: [5 * SECOND] })
    await until(async () => (await ledger.rows()).every(({ attempts }) => attempts === 1))
    await ledger.ring(3, { age: 0 })
    await ledger.clock.advance(5 * SECOND)
    await until(async () => (await ledger.states())['exhausted'] === 20)
    const bursts = ledger.slack.requests.filter(({ body }) => body.includes('20 shipment events of acme'))
    expect(bursts).toHaveLength(2)
    expect(bursts[1]?.body).toBe(bursts[0]?.body)
  })

  it.each([1, 20])('%i sent by a process that died before it wrote that down are the same message', async (count) => {
    const ledger = await SlackLedger.open()
    await ledger.ring(count)
    const dying = { ...ledger.store, settle: async () => await new Promise<never>(() => undefined) }
    void ledger.deliverer({ store: dying }).drain(new AbortController().signal)
    await ledger.slack.received(1)
    await ledger.store.recoverClaims()
    await ledger.drain()
    const [first, second] = ledger.slack.requests
    expect(second?.body).toBe(first?.body)
    expect(shownTexts(second?.body ?? '').at(-1)).toContain('evt_00001')
    expect(await ledger.states()).toEqual({ delivered: count })
  })
})

describe('a request', () => {
  it('goes only where the guard lets it', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(1)
    await ledger.drain({ allowNetworks: [] })
    const [row] = await ledger.rows()
    expect(row?.lastError).toMatch(/^Nothing was sent to http:\/\/127\.0\.0\.1:\d+: 127\.0\.0\.1 is a loopback address/)
    expect(ledger.slack.requests).toEqual([])
  })

  it('is a POST of JSON to the path of the webhook', async () => {
    const ledger = await SlackLedger.open()
    await ledger.ring(1)
    await ledger.drain()
    expect(ledger.slack.requests).toMatchObject([
      {
        method: 'POST',
        path: HOOK,
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'shipbell/9.9.9' },
      },
    ])
  })
})
