import { createHmac, createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { systemClock } from '../../src/clock.ts'
import { createDeliverer, type Deliverer } from '../../src/deliver/deliverer.ts'
import { detectChange } from '../../src/detect/detect-change.ts'
import { createLogger } from '../../src/log.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { payloadBody } from '../../src/model/payload.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { type Cost, costOf, quantile } from './measure.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { startPeer } from './start-peer.ts'
import { worldShipment } from './world-shipment.ts'
import { subscription } from '../support/subscription.ts'

const ROUNDS = 9
const DELIVERIES = 2_500
const NETWORKS = ['127.0.0.0/8'] as const
const SOCKETS = 64
const KEY = Buffer.from('a benchmark secret of 32 bytes !')

/**
 * Deliveries whose row is written before and whose state after, beside a bare loop of signed POSTs on as many sockets, in
 * rounds that take turns: the median of their ratios is what the machine's other work disturbs least. The first warms up.
 */
export async function benchDurableDeliveries(): Promise<string> {
  using peer = await startPeer(0)
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  const subscription = subscriptionTo(peer.url)
  const pool = new Pool(peer.url, { connections: SOCKETS })
  try {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    await store.syncSubscriptions([{ name: subscription.name, enabled: true }], 0)
    await using deliverer = delivererTo(store, subscription)
    const rounds: { readonly bare: Cost; readonly durable: Cost }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const events = Array.from({ length: DELIVERIES }, (_, index) => createdEvent(round * DELIVERIES + index))
      const body = payloadBody({ ...(events[0] ?? createdEvent(0)), sequence: 1 })
      const bare = await costOf(async () => postAll(pool, body))
      await fill(store, { events, subscription })
      rounds.push({ bare, durable: await costOf(async () => deliverer.drain(new AbortController().signal)) })
    }
    const [endpoint] = await store.endpoints()
    if (endpoint?.counts.delivered !== ROUNDS * DELIVERIES) throw new Error('not everything was delivered')
    return report(rounds.slice(1))
  } finally {
    await pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(rounds: readonly { readonly bare: Cost; readonly durable: Cost }[]): string {
  const ratios = rounds.map(({ bare, durable }) => bare.wallMs / durable.wallMs)
  const ratio = quantile(ratios, 0.5)
  const [bare, durable] = [rounds.map((each) => each.bare), rounds.map((each) => each.durable)]
  return (
    `durable deliveries, ${SOCKETS} sockets: ${rateOf(durable)}/s against ${rateOf(bare)}/s bare: ${ratio.toFixed(2)}× ` +
    `(bar 0.35×, aim 0.6×; CPU of the sender ${cpuOf(durable)} µs each against ${cpuOf(bare)} µs)`
  )
}

/** Deliveries a second, of the median run. */
function rateOf(costs: readonly Cost[]): string {
  const times = costs.map(({ wallMs }) => wallMs)
  return ((DELIVERIES / quantile(times, 0.5)) * 1_000).toFixed(0)
}

/** Microseconds of CPU for each delivery, likewise. */
function cpuOf(costs: readonly Cost[]): string {
  const times = costs.map(({ cpuMs }) => cpuMs)
  return ((quantile(times, 0.5) / DELIVERIES) * 1_000).toFixed(0)
}

function delivererTo(store: Store, subscription: Subscription): Deliverer {
  const subscriptions = [subscription]
  const settings = { allowNetworks: NETWORKS, retryMs: [1_000] }
  return createDeliverer({
    store,
    clock: systemClock,
    log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
    random: () => 0,
    owner: 'bench',
    subscriptions: () => subscriptions,
    settings: () => settings,
    version: '0',
  })
}

function subscriptionTo(url: string): Subscription {
  const secrets = [`whsec_${KEY.toString('base64')}`]
  const channel = webhookChannel({ url, secrets, concurrency: SOCKETS })
  return subscription('bench', { channel })
}

function createdEvent(index: number): EventDraft {
  const record = worldShipment(index)
  const [event] = detectChange({
    account: 'bench',
    resource: 'shipment',
    id: `shipment ${index}`,
    before: null,
    after: record,
    read: { sentAt: 1, answeredAt: 2 },
    mode: 'ring',
    absentAt: null,
    ignore: [],
    shipment: null,
  }).events
  if (event === undefined) throw new Error('a new shipment rang nothing')
  return event
}

async function fill(store: Store, work: { events: readonly EventDraft[]; subscription: Subscription }): Promise<void> {
  for (let start = 0; start < work.events.length; start += 100) {
    const events = work.events.slice(start, start + 100)
    const deliveries = events.map(({ id }) => ({ eventId: id, subscription: work.subscription.name }))
    await store.commit({ account: 'bench', records: [], changes: [], dates: [], events, deliveries })
  }
}

async function postAll(pool: Pool, body: string): Promise<void> {
  const key = createSecretKey(KEY)
  let sent = 0
  const worker = async (): Promise<void> => {
    while (sent < DELIVERIES) {
      sent += 1
      const id = `evt_${sent}`
      const timestamp = String(Math.floor(systemClock.now() / 1_000))
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      }
      const response = await pool.request({ path: '/', method: 'POST', headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: SOCKETS }, worker))
}
