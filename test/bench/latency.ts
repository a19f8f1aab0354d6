import { createHmac, createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { systemClock } from '../../src/clock.ts'
import { createDeliverer } from '../../src/deliver/deliverer.ts'
import { createLogger } from '../../src/log.ts'
import { field, isJsonArray, type Json } from '../../src/model/json.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import { interfaceFields } from '../../src/platform/interface-fields.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { type ChangingPeer, startChangingPeer } from './start-peer.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { quantile } from './measure.ts'

const SHIPMENTS = 100
const CHANGES = 10
const EVERY_MS = 100
const PASSES = 300
const SOCKETS = 8
const KEY = Buffer.from('a benchmark secret of 32 bytes !')

/**
 * From the platform's answer to the receiver having the event, at 100 events/s, on the clock of the process that gives the one and takes the
 * other; beside it a loop that knows what changed and POSTs the changed records as soon as the page is there, told of nothing before.
 */
export async function benchLatency(): Promise<string> {
  using peer = await startChangingPeer(SHIPMENTS, CHANGES)
  const bare = await bareLatencies(peer)
  const own = await ownLatencies(peer)
  const expected = PASSES * CHANGES
  if (own.length !== expected || own.some(Number.isNaN)) throw new Error(`${own.length} events of ${expected} arrived`)
  return (
    `answer to receiver at ${(CHANGES * 1_000) / EVERY_MS} events/s, p50 / p99 of ${expected}: ${emitted(own)} against ` +
    `${emitted(bare)} bare (bar 10 / 50 ms, aim 4 / 20 ms)`
  )
}

async function ownLatencies(peer: ChangingPeer): Promise<readonly number[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  const stopping = new AbortController()
  try {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    await using deliverer = delivererTo(peer.url, store)
    const subscriptions = subscriptionsTo(peer.url)
    const committer = new Committer({
      store,
      clock: systemClock,
      subscriptions: () => subscriptions,
      onDeliveries: () => deliverer.wake(),
    })
    await store.syncSubscriptions(subscriptions, systemClock.now())
    await using platform = createPlatformClient({
      ...BOUNDLESS_ACCOUNT,
      baseUrl: peer.url,
      concurrency: 1,
      userAgent: 'bench',
      clock: systemClock,
    })
    const poller = new AccountPoller({
      account: { ...BOUNDLESS_ACCOUNT, baseUrl: peer.url },
      platform,
      committer,
      clock: systemClock,
      random: () => 0,
      log: LOG,
      progress: () => undefined,
      patience: ENDLESS_PATIENCE,
      fields: interfaceFields(),
    })
    await poller.once(stopping.signal)
    const delivering = deliverer.run(stopping.signal)
    await often(async () => poller.once(stopping.signal))
    const latencies = await peer.latencies()
    stopping.abort()
    await delivering
    return latencies
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function delivererTo(url: string, store: Store) {
  const subscriptions = subscriptionsTo(url)
  return createDeliverer({
    store,
    clock: systemClock,
    log: LOG,
    random: () => 0,
    owner: 'bench',
    subscriptions: () => subscriptions,
    settings: () => SETTINGS,
    version: '0',
  })
}

const SETTINGS = { allowNetworks: ['127.0.0.0/8'], retryMs: [1_000] } as const
/** As a service logs, but into the void. */
const LOG = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write: () => undefined })

function subscriptionsTo(url: string) {
  const secrets = [`whsec_${KEY.toString('base64')}`]
  return [subscription('bench', { channel: webhookChannel({ url, secrets, concurrency: SOCKETS }) })]
}

async function bareLatencies(peer: ChangingPeer): Promise<readonly number[]> {
  const pages = new Pool(peer.url, { connections: 1 })
  const hooks = new Pool(peer.url, { connections: SOCKETS })
  let pass = 0
  await often(async () => {
    pass += 1
    const { body } = await pages.request({ path: '/v1/shipments?skip=0&take=100', method: 'GET' })
    const page: Json = JSON.parse(await body.text())
    const changed = (isJsonArray(page) ? page : []).filter((each) => isChange(each, pass))
    await Promise.all(changed.map(async (object) => post(hooks, JSON.stringify({ data: { object } }))))
  })
  await Promise.all([pages.close(), hooks.close()])
  return await peer.latencies()
}

function isChange(shipment: Json, pass: number): boolean {
  return field(shipment, 'specific_instructions') === `change ${pass}`
}

async function post(pool: Pool, body: string): Promise<void> {
  const timestamp = String(Math.floor(systemClock.now() / 1_000))
  const signature = createHmac('sha256', createSecretKey(KEY)).update(`evt.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const response = await pool.request({ path: '/', method: 'POST', headers, body })
  await response.body.dump()
}

/** Every tenth of a second, and a moment for the last events to arrive. */
async function often(work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  for (let pass = 0; pass < PASSES; pass += 1) {
    await systemClock.sleep(startedAt + pass * EVERY_MS - performance.now())
    await work()
  }
  await systemClock.sleep(10 * EVERY_MS)
}

function emitted(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)} ms`
}
