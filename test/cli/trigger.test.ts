import { existsSync } from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Service } from '../../src/app.ts'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { triggerCommand } from '../../src/cli/trigger.ts'
import { schemeOf } from '../../src/cli/verify-signature.ts'
import { systemClock } from '../../src/clock.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { standardPayload } from '../../src/model/payload.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { ring, sampleEvent as storedEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { countingReceiver } from './counting-receiver.ts'
import { runCommand } from './run-command.ts'

const SIGNING_KEY = `whsk_${Buffer.concat([Buffer.alloc(32, 1), publicHalf()]).toString('base64')}`

/** Of the seed of 32 ones. */
function publicHalf(): Buffer {
  return Buffer.from('iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=', 'base64')
}

interface Settings {
  readonly status?: number
  readonly body?: string
  /** Lines of the configuration; null: there is none. */
  readonly more?: string | null
}

async function triggering({ status = 200, body = '', more = '' }: Settings = {}) {
  const receiver = await countingReceiver(status, body)
  const yaml = `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: key }
subscriptions:
  erp: { url: "http://127.0.0.1:${receiver.port}/hooks", secret: ${SECRET}, events: [document.added], accounts: [acme] }
  ops: { slack: { url: "http://127.0.0.1:${receiver.port}/T/B/x" }, events: [document.added] }
http: false
${more ?? ''}`
  const cwd = scratchFolder(more === null ? {} : { 'shipbell.yaml': yaml })
  const clock = new FakeClock(T)
  const url = `http://127.0.0.1:${receiver.port}/some/where`
  const run = async (...args: readonly string[]) => await runCommand(triggerCommand, args, { cwd, clock })
  const store = () => openStore({ path: path.join(cwd, 'shipbell.db') })
  return { ...receiver, cwd, clock, run, store, url }
}

const LOOPBACK = 'delivery: { allow_networks: [127.0.0.0/8], retry: [1h] }'

describe('shipbell trigger to a subscription', () => {
  it('sends a sample down its real path, signed, whatever its events', async () => {
    const { received, payloads, run, signed } = await triggering({ more: LOOPBACK, body: 'thanks' })
    const { exitCode, stdout, stderr } = await run('shipment.eta_changed', '--to', 'erp')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^erp: delivered, answered 200 \(\d+ ms\)\n {2}it said: thanks\n {2}event evt_\w+, delivery /,
    )
    const made = standardPayload(sampleEvent('shipment.eta_changed'))
    expect(payloads).toEqual([{ ...made, id: received[0], sequence: 1, cause: 'test' }])
    expect(signed[0]?.signature).toBe(new Webhook(SECRET).sign(received[0] ?? '', new Date(T), signed[0]?.text ?? ''))
  })

  it('sends every type in the words of its channel', { tags: 'long' }, async () => {
    const { run, payloads } = await triggering({ more: LOOPBACK, body: 'ok' })
    for (const type of ['invoice.overdue', 'account.unreachable', 'shipbell.test'])
      expect(await run(type, '--to', 'ops')).toMatchObject({ exitCode: 0 })
    expect(payloads.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^TEST: Invoice 2026-0042 .* is 1 day overdue/),
      expect.stringMatching(/^TEST: The platform of account acme cannot be reached/),
      'A test of the endpoint of erp.',
    ])
  })

  it('is a new event each time, which events show tells', { tags: 'long' }, async () => {
    const { cwd, run, received } = await triggering({ more: LOOPBACK })
    await run('shipment.eta_changed', '--to', 'erp')
    await run('shipment.eta_changed', '--to', 'erp')
    expect(new Set(received).size).toBe(2)
    const shown = await runCommand(eventsCommand, ['show', received[1] ?? '', '--json'], { cwd })
    expect(JSON.parse(shown.stdout)).toMatchObject({ payload: { type: 'shipment.eta_changed', cause: 'test' } })
  })

  it('moves neither versions nor sequences nor health, and is never undelivered', async () => {
    const { clock, cwd, run, store } = await triggering({ more: LOOPBACK, status: 500 })
    await using open = store()
    await ring(open, [storedEvent('evt_1')], [])
    const { exitCode, stdout } = await run('shipment.eta_changed', '--to', 'erp', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ delivered: false, status: 500, state: 'exhausted' })
    await ring(open, [storedEvent('evt_2')], [])
    expect(await open.event('evt_2')).toMatchObject({ sequence: 2 })
    const list = await runCommand(deliveriesCommand, ['list', '--undelivered'], { cwd, clock })
    expect(list).toMatchObject({ exitCode: 0, stdout: 'Nothing undelivered.\n' })
    const erp = (await open.endpoints()).find(({ subscription }) => subscription === 'erp')
    expect(erp).toMatchObject({ failuresInARow: 0, counts: { exhausted: 0, pending: 0 } })
    expect((await open.records('acme', 'shipment', ['SHP-1'])).size).toBe(0)
  })

  it('has the daemon send it where one runs', async () => {
    const { cwd, run, received, store } = await triggering({ more: LOOPBACK })
    await using service = await Service.open({
      live: new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} })),
      clock: systemClock,
      log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
      random: () => 0.5,
      command: 'run',
      progress: () => undefined,
    })
    const stop = new AbortController()
    const running = service.run(stop.signal)
    onTestFinished(async () => {
      stop.abort()
      await running
    })
    const clock = systemClock
    const sent = await runCommand(triggerCommand, ['invoice.due', '--to', 'erp'], { cwd, clock })
    expect(sent).toMatchObject({ exitCode: 0, stderr: '' })
    expect(received).toHaveLength(1)
    expect((await run('invoice.due', '--to', 'epr')).exitCode).toBe(2)
    await using open = store()
    expect(await open.accounts(clock.now())).toMatchObject([{ account: 'acme', lastSequence: 0 }])
  })
})

describe('shipbell trigger to a URL', () => {
  it('posts a sample of every type, signed with the secret, and stores nothing', async () => {
    const { cwd, payloads, received, run, signed, url } = await triggering({ more: LOOPBACK })
    for (const { type } of EVENT_CATALOGUE)
      expect(await run(type, '--to', url, '--secret', SECRET)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(payloads.map(({ type }) => type)).toEqual(EVENT_CATALOGUE.map(({ type }) => type))
    expect(new Set(payloads.map(({ cause }) => cause))).toEqual(new Set(['test']))
    const last = signed.at(-1)
    const expected = new Webhook(SECRET).sign(received.at(-1) ?? '', new Date(T), last?.text ?? '')
    expect(last).toMatchObject({ at: T, signature: expected })
    expect(existsSync(path.join(cwd, 'shipbell.db'))).toBe(false)
  })

  it('makes a secret and shows it where none is given', async () => {
    const { received, run, signed, url } = await triggering({ more: LOOPBACK })
    const { exitCode, stdout, stderr } = await run('shipment.departed', '--to', url)
    expect(exitCode).toBe(0)
    const [, secret = ''] =
      /^Signed with (whsec_\S+), made for this; --secret signs with another\.\n$/.exec(stderr) ?? []
    const expected = new Webhook(secret).sign(received[0] ?? '', new Date(T), signed[0]?.text ?? '')
    expect(signed[0]?.signature).toBe(expected)
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+: delivered, answered 200 \(\d+ ms\)\n {2}event evt_\w+\n$/)
    const made = JSON.parse((await run('shipment.departed', '--to', url, '--json')).stdout)
    expect(made).toMatchObject({ delivered: true, secret: expect.stringMatching(/^whsec_/), event_id: received[1] })
  })

  it('signs v1a with a whsk_ key', async () => {
    const { received, run, signed, url } = await triggering({ more: LOOPBACK })
    expect(await run('shipment.departed', '--to', url, '--secret', SIGNING_KEY)).toMatchObject({ exitCode: 0 })
    const [version, base64 = ''] = String(signed[0]?.signature).split(',')
    const content = Buffer.from(`${received[0]}.${T / 1_000}.${signed[0]?.text}`)
    expect(version).toBe('v1a')
    expect(schemeOf(SIGNING_KEY)?.fits(content, Buffer.from(base64, 'base64'))).toBe(true)
  })

  it.each([302, 404, 410, 500])('answered %i is not taken: exit code 1, one attempt', async (status) => {
    const { received, run, url } = await triggering({ more: LOOPBACK, status, body: `no ${SECRET}` })
    const { exitCode, stdout } = await run('invoice.due', '--to', url, '--secret', SECRET)
    expect([exitCode, received.length]).toEqual([1, 1])
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+: NOT delivered, .* answered ${status}`))
    expect(stdout).not.toContain(SECRET)
  })

  it('is guarded as the configuration says: loopback only where it is named', async () => {
    const { received, run, url } = await triggering()
    const { exitCode, stdout } = await run('invoice.due', '--to', url, '--secret', SECRET)
    expect([exitCode, received.length]).toEqual([1, 0])
    expect(stdout).toContain('allow_networks')
  })

  it('without a configuration may reach what says itself that it is loopback, and no other private place', async () => {
    const { run, received, url } = await triggering({ more: null })
    expect(await run('invoice.due', '--to', url, '--secret', SECRET)).toMatchObject({ exitCode: 0 })
    expect(received).toHaveLength(1)
    const refused = await run('invoice.due', '--to', 'http://169.254.169.254/', '--secret', SECRET)
    expect(refused.exitCode).toBe(1)
    const named = await run('invoice.due', '--to', url, '-c', 'shipbell.yaml')
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('shipbell.yaml') })
  })
})

describe('shipbell trigger', () => {
  it.each([
    [
      ['shipment.eta_change', '--to', 'erp'],
      'There is no event type "shipment.eta_change": did you mean shipment.eta_changed?',
    ],
    [['nothing', '--to', 'erp'], 'There is no event type "nothing": `shipbell events types` lists them.'],
    [['invoice.due', '--to', 'epr'], 'shipbell.yaml has no subscription "epr": did you mean erp?'],
    [['invoice.due', '--to', 'erp', '--secret', SECRET], '--secret is for a URL: a subscription signs with its own.'],
    [
      ['invoice.due', '--to', 'ftp://x.example'],
      '--to "ftp://x.example" is no http or https URL: mend it, or name a subscription.',
    ],
    [['invoice.due', '--to', 'https://x.example', '--secret', 'whpk_x'], /^--secret is a public key/],
  ])('%j exits 2 with one sentence', async (args, sentence) => {
    const { cwd, received, run } = await triggering({ more: LOOPBACK })
    const { exitCode, stderr, stdout } = await run(...args)
    expect([exitCode, stdout, received]).toEqual([2, '', []])
    expect(stderr).toMatch(sentence)
    expect(existsSync(path.join(cwd, 'shipbell.db'))).toBe(false)
  })
})
