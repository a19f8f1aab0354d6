import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { countingReceiver } from './counting-receiver.ts'
import { runCommand } from './run-command.ts'
import { deliveriesOf, eventsOf } from '../support/log-rows.ts'

/** `erp` is disabled in the file where `more` says so. */
async function testable(status: number, { body = '', more = '' } = {}) {
  const receiver = await countingReceiver(status, body)
  const cwd = scratchFolder({
    'shipbell.yaml': `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: key }
subscriptions:
  erp: { url: "http://127.0.0.1:${receiver.port}/hooks", secret: ${SECRET}, events: ["shipment.*"] ${more} }
delivery: { allow_networks: [127.0.0.0/8], retry: [1h] }
http: false
`,
  })
  const clock = new FakeClock(T)
  const run = async (...args: readonly string[]) => await runCommand(subscriptionsCommand, args, { cwd, clock })
  const list = async (...args: readonly string[]) =>
    await runCommand(deliveriesCommand, ['list', ...args], { cwd, clock })
  const store = () => openStore({ path: path.join(cwd, 'shipbell.db') })
  return { ...receiver, cwd, run, list, store }
}

describe('shipbell subscriptions test', () => {
  it('sends a test event down the delivery path, before the first run of a daemon too', async () => {
    const { run, list, payloads, received } = await testable(200, { body: 'thanks \u001b[2J' })
    const { exitCode, stdout, stderr } = await run('test', 'erp')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^erp: delivered, answered 200 \(\d+ ms\)\n {2}it said: thanks \\x1b\[2J\n {2}event evt_\w+, delivery dlv_\w+\n$/,
    )
    expect(payloads).toMatchObject([
      {
        id: received[0],
        type: 'shipbell.test',
        account: null,
        sequence: 1,
        subject: { resource: 'subscription', id: 'erp', version: 1, previous_event_id: null },
        observed: null,
        cause: 'test',
        data: { subscription: 'erp', at: '2026-11-21T08:00:00.000Z' },
      },
    ])
    expect(JSON.parse((await list('--json')).stdout)).toMatchObject([
      { event_id: received[0], type: 'shipbell.test', account: null, subscription: 'erp', state: 'delivered' },
    ])
  })

  it('never shows what a variable brought into the request, though the receiver echoes it', async () => {
    const body = 'POST /hooks from tok-5b1c, which is late'
    const { cwd, run, list } = await testable(500, { body, more: ', headers: { X-Team: "${TEAM}" }' })
    writeFileSync(path.join(cwd, '.env'), 'TEAM=tok-5b1c\n')
    const { stdout } = await run('test', 'erp')
    expect(stdout).toContain('it said: POST /hooks from [redacted], which is late')
    expect((await list('--json')).stdout).not.toContain('tok-5b1c')
  })

  it('makes a new event each time, chained to the last', { tags: 'long' }, async () => {
    const { run, payloads, received } = await testable(200)
    await run('test', 'erp')
    await run('test', 'erp')
    expect(payloads[1]).toMatchObject({
      sequence: 2,
      subject: { id: 'erp', version: 2, previous_event_id: received[0] },
    })
    expect(new Set(received).size).toBe(2)
  })

  it('prints one document with --json', async () => {
    const { run, received } = await testable(200, { body: 'ok' })
    expect(JSON.parse((await run('test', 'erp', '--json')).stdout)).toEqual({
      subscription: 'erp',
      delivered: true,
      event_id: received[0],
      delivery_id: expect.stringMatching(/^dlv_/),
      state: 'delivered',
      status: 200,
      duration_ms: expect.any(Number),
      error: null,
      answer: 'ok',
      disabled: null,
    })
  })

  it.each([503, 410, 302])(
    'answered %i fails once and for all, and harms neither endpoint nor ledger',
    async (status) => {
      const { run, list, received, store } = await testable(status)
      const { exitCode, stdout } = await run('test', 'erp')
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(new RegExp(`^erp: NOT delivered, http://127.0.0.1:\\d+ answered ${status}`))
      expect(received).toHaveLength(1)
      expect(JSON.parse((await list('--json')).stdout)).toMatchObject([{ state: 'exhausted', attempts: 1 }])
      expect(await list('--undelivered')).toMatchObject({ exitCode: 0, stdout: 'Nothing undelivered.\n' })
      await using open = store()
      expect(await open.endpoints()).toMatchObject([{ disabled: null, failuresInARow: 0, counts: { exhausted: 0 } }])
    },
  )

  it(
    'tries an endpoint that a command disabled, says that it is, and leaves what is held alone',
    { tags: 'long' },
    async () => {
      const { run, received, store } = await testable(200)
      await run('test', 'erp')
      await run('disable', 'erp')
      await using open = store()
      await ring(open, [sampleEvent('evt_1')], ['erp'])
      const { exitCode, stderr } = await run('test', 'erp')
      expect(exitCode).toBe(0)
      expect(stderr).toBe('erp is disabled (by command): its events are held, but a test is sent all the same.\n')
      expect(received).toHaveLength(2)
      expect(await deliveriesOf(open, { id: 'evt_1', limit: 1 })).toMatchObject([{ state: 'held' }])
    },
  )

  it('tries an endpoint that the file disables', async () => {
    const { run, received } = await testable(200, { more: ', enabled: false' })
    const { exitCode, stdout } = await run('test', 'erp', '--json')
    expect([exitCode, received.length]).toEqual([0, 1])
    expect(JSON.parse(stdout)).toMatchObject({ disabled: 'disabled in the configuration (enabled: false)' })
  })

  it('is signed as any event is', async () => {
    const { run, received, signed } = await testable(200)
    await run('test', 'erp')
    const [request] = signed
    const expected = new Webhook(SECRET).sign(received[0] ?? '', new Date(request?.at ?? 0), request?.text ?? '')
    expect(request).toMatchObject({ at: T, signature: expected })
  })

  it('rings nothing where a running daemon has read an older file', async () => {
    const { cwd, run, store } = await testable(200)
    const file = path.join(cwd, 'shipbell.db')
    await store()[Symbol.asyncDispose]()
    const daemon = lockStore(file, { pid: 1, command: 'run', since: '', host: '' })
    onTestFinished(() => daemon[Symbol.dispose]())
    expect(await run('test', 'erp')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The running daemon does not know the subscription "erp" yet'),
    })
    await using open = store()
    expect(await eventsOf(open, { limit: 1 })).toEqual([])
  })

  it('exits 2 where the file has no such subscription, and makes nothing', async () => {
    const { run, cwd } = await testable(200)
    expect(await run('test', 'epr')).toMatchObject({
      exitCode: 2,
      stderr: 'shipbell.yaml has no subscription "epr": did you mean erp?',
    })
    expect(existsSync(path.join(cwd, 'shipbell.db'))).toBe(false)
  })
})

describe('shipbell subscriptions test of a Slack channel', () => {
  const token = 'abcdefghijklmnopqrstuvwx'

  async function slack(status: number, body: string) {
    const { port, payloads } = await countingReceiver(status, body)
    const url = `http://127.0.0.1:${port}/services/T0/B0/${token}`
    const cwd = scratchFolder({
      'shipbell.yaml': `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: key }
subscriptions:
  ops: { slack: { url: "${url}" }, events: ["shipment.*"] }
delivery: { allow_networks: [127.0.0.0/8] }
http: false
`,
    })
    const tested = await runCommand(subscriptionsCommand, ['test', 'ops'], { cwd, clock: new FakeClock(T) })
    return { ...tested, payloads }
  }

  it('posts a message at once', async () => {
    const { exitCode, stdout, stderr, payloads } = await slack(200, 'ok')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ops: delivered, answered 200 \(\d+ ms\)\n {2}it said: ok\n/)
    expect(payloads).toMatchObject([{ text: 'A test of the endpoint of ops.' }])
  })

  it('says what Slack says, and never the url', async () => {
    const { exitCode, stdout } = await slack(404, `no_service at /services/T0/B0/${token}`)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^ops: NOT delivered, http:\/\/127\.0\.0\.1:\d+ answered 404: no_service at \[redacted\]/)
    expect(stdout).not.toContain(token)
  })
})

describe('shipbell subscriptions test --since', () => {
  it('says what it would have received by the configuration of today, and sends nothing', async () => {
    const { run, received, store } = await testable(200)
    await using open = store()
    await ring(open, [sampleEvent('evt_0', { timestamp: T - 86_400_000 })], [])
    await ring(open, [sampleEvent('evt_1'), sampleEvent('evt_2', { type: 'invoice.created' })], ['other'])
    await ring(open, [sampleEvent('evt_3', { type: 'shipment.created' }), sampleEvent('evt_4')], [])
    const { exitCode, stdout } = await run('test', 'erp', '--since', '1h')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^erp would have received 3 events since 2026-11-21T07:00:00\.000Z\.\nTYPE /)
    expect(stdout).toMatch(/^shipment\.status_changed +2 /m)
    expect(JSON.parse((await run('test', 'erp', '--since', '1h', '--json')).stdout)).toEqual({
      subscription: 'erp',
      since: '2026-11-21T07:00:00.000Z',
      total: 3,
      types: [
        {
          type: 'shipment.status_changed',
          count: 2,
          first: { id: 'evt_1', timestamp: '2026-11-21T08:00:00.000Z' },
          last: { id: 'evt_4', timestamp: '2026-11-21T08:00:00.000Z' },
        },
        {
          type: 'shipment.created',
          count: 1,
          first: { id: 'evt_3', timestamp: '2026-11-21T08:00:00.000Z' },
          last: { id: 'evt_3', timestamp: '2026-11-21T08:00:00.000Z' },
        },
      ],
    })
    expect(received).toEqual([])
    expect(await deliveriesOf(open, { subscription: 'erp', limit: 9 })).toEqual([])
  })

  it('counts no tests', async () => {
    const { run } = await testable(200)
    await run('test', 'erp')
    expect((await run('test', 'erp', '--since', '1h')).stdout).toBe(
      'erp would have received 0 events since 2026-11-21T07:00:00.000Z.\n',
    )
  })
})
