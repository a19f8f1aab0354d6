import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeliverer, type Deliverer } from '../../../src/deliver/deliverer.ts'
import type { Resolve } from '../../../src/http/names/name-resolver.ts'
import type { Delivery } from '../../../src/model/delivery.ts'
import type { Subscription } from '../../../src/model/subscription.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { Dials } from '../../support/dials.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { LoopbackDns } from '../../support/loopback-dns.ts'
import { StoreFile } from '../../support/store-file.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'
import { SECRET } from '../../config/scratch.ts'
import { sampleEvent } from '../sample-event.ts'
import { ScriptedReceiver, status } from '../scripted-receiver.ts'
import { NEVER, PRIVATE, WAYS_IN } from './hostile-targets.ts'
import { subscription } from '../../support/subscription.ts'
import { deliveriesOf } from '../../support/log-rows.ts'

const EVERYTHING = ['0.0.0.0/0', '::/0']
const ONLY_WHERE_NAMED =
  /, which is dialled only where delivery\.allow_networks names it \([\d.]+\/32\)$|names it \([\da-f:]+\/128\)$/
const NEVER_DIALLED = /, which is never dialled: give another url$/
const UNENDING = new AbortController().signal

/** Speaks no HTTP: what connects has already come too far. Hears IPv4 and IPv6. */
class Canary implements AsyncDisposable {
  connections = 0
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.connections += 1
      socket.on('error', () => undefined).destroy()
    })
  }

  static async start(): Promise<Canary> {
    const server = createServer().listen(0, '::')
    await once(server, 'listening')
    return new Canary(server)
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    await once(this.#server, 'close')
  }
}

let resources: AsyncDisposableStack
let canary: Canary
let dns: LoopbackDns
let store: Store
let clock: FakeClock
let dials: Dials
let deliverer: Deliverer
let subscriptions: readonly Subscription[]
let settings: { readonly allowNetworks: readonly string[]; readonly retryMs: readonly number[] }
let events: number

beforeEach(async () => {
  resources = new AsyncDisposableStack()
  canary = resources.use(await Canary.start())
  dns = resources.use(await LoopbackDns.start())
  store = resources.use(new StoreFile()).store
  clock = new FakeClock()
  dials = resources.use(new Dials())
  events = 0
  deliverer = resources.use(
    createDeliverer({
      store,
      clock,
      log: pino({ level: 'silent' }),
      random: () => 0,
      owner: () => 'test',
      subscriptions: () => subscriptions,
      settings: () => settings,
      version: '9.9.9',
      resolve,
    }),
  )
  for (const [url, , answers] of [...WAYS_IN, ...PRIVATE, ...NEVER]) {
    if (answers !== undefined) dns.zone.set(new URL(at(url)).hostname.replace(/\.$/, ''), answers)
  }
})

afterEach(async () => {
  await resources.disposeAsync()
})

/** A target with the canary's port. */
function at(url: string): string {
  return url.replace('PORT', String(canary.port))
}

/** What is called `…example` is asked of the test's name server, everything else (localhost) of the system. */
const resolve: Resolve = async (hostname) =>
  /\.example\.?$/.test(hostname) ? await dns.resolve(hostname) : await lookup(hostname, { all: true })

/** Rings one event for a subscription of each URL, delivers it as the daemon does, and reads the ledger by URL. */
async function deliver(urls: readonly string[], allowNetworks: readonly string[]): Promise<Map<string, Delivery>> {
  settings = { allowNetworks, retryMs: [60_000] }
  subscriptions = urls.map((url, index): Subscription => {
    const channel = webhookChannel({ url, secrets: [SECRET] })
    return subscription(String(index), { channel })
  })
  await store.syncSubscriptions(subscriptions, clock.now())
  events += 1
  const event = sampleEvent({ id: `evt_${events}`, timestamp: clock.now() })
  const deliveries = subscriptions.map(({ name }) => ({ eventId: event.id, subscription: name }))
  await store.commit({ account: 'acme', records: [], changes: [], dates: [], events: [event], deliveries })
  await deliverer.drain(UNENDING)
  const rows = (await deliveriesOf(store, { limit: 1_000 })).filter(({ eventId }) => eventId === event.id)
  return new Map(rows.map((row) => [urls[Number(row.subscription)] ?? '', row]))
}

interface Expected {
  readonly targets: typeof WAYS_IN
  readonly rows: Map<string, Delivery>
  readonly remedy: RegExp
}

function expectRefusals({ targets, rows, remedy }: Expected): void {
  for (const [url, refusal] of targets) {
    const row = rows.get(at(url))
    expect(row, url).toMatchObject({ state: 'pending', attempts: 1, lastStatus: null })
    expect(row?.nextAttemptAt, url).toBe(clock.now() + 60_000)
    expect(
      row?.lastError?.startsWith(`Nothing was sent to ${new URL(at(url)).origin}: ${refusal}`),
      `${url}: ${row?.lastError}`,
    ).toBe(true)
    expect(row?.lastError, url).toMatch(remedy)
  }
}

describe('a subscription to a hostile target', () => {
  it('is a failed attempt with one sentence that names the rule, and dials nothing', async () => {
    const targets = [...WAYS_IN, ...PRIVATE]
    const rows = await deliver(
      [...targets, ...NEVER].map(([url]) => at(url)),
      [],
    )
    expect(rows.size).toBe(targets.length + NEVER.length)
    expect(rows.size).toBeGreaterThan(100)
    expectRefusals({ targets, rows, remedy: ONLY_WHERE_NAMED })
    expectRefusals({ targets: NEVER, rows, remedy: NEVER_DIALLED })
    expect(dials.addresses).toEqual([])
    expect(canary.connections).toBe(0)
  })

  it('is refused whatever allow_networks names, where no setting opens it', async () => {
    const rows = await deliver(
      NEVER.map(([url]) => at(url)),
      EVERYTHING,
    )
    expectRefusals({ targets: NEVER, rows, remedy: NEVER_DIALLED })
    expect(dials.addresses).toEqual([])
    expect(canary.connections).toBe(0)
  })

  it('would have reached the canary: opened, every way in arrives', async () => {
    const rows = await deliver(
      WAYS_IN.map(([url]) => at(url)),
      ['127.0.0.0/8', '::1/128'],
    )
    for (const [url, row] of rows) expect(row.lastError, url).toContain('closed the connection')
    expect(canary.connections).toBeGreaterThanOrEqual(WAYS_IN.length)
  })

  it('is not dialled through the harmless one of its addresses either', async () => {
    await using receiver = await ScriptedReceiver.start(undefined, '127.0.0.2')
    dns.zone.set('mixed.example', ['127.0.0.1', '169.254.169.254', '127.0.0.2', '10.0.0.1', '::1'])
    const url = `http://mixed.example:${receiver.port}`
    const rows = await deliver([url], ['127.0.0.2/32'])
    expect(rows.get(url)).toMatchObject({ state: 'delivered' })
    expect(dials.addresses).toEqual(['127.0.0.2'])
  })

  it('gains nothing by a harmless address that does not answer', async () => {
    await using receiver = await ScriptedReceiver.start(undefined, '127.0.0.2')
    const { port } = receiver
    await receiver[Symbol.asyncDispose]()
    dns.zone.set('dead.example', ['127.0.0.2', '127.0.0.1'])
    const url = `http://dead.example:${port}`
    expect((await deliver([url], ['127.0.0.2/32'])).get(url)?.lastError).toContain('refused the connection')
    expect(dials.addresses).toEqual(['127.0.0.2'])
  })
})

/** Ends the connection with the answer, so that the next attempt dials. */
const DIAL_AGAIN = status(200, { connection: 'close' })

describe('a name that rebinds', () => {
  it('is judged afresh on every dial, and what was judged is what is dialled', async () => {
    await using receiver = await ScriptedReceiver.start(DIAL_AGAIN, '127.0.0.2')
    dns.zone.set('rebind.example', (question) => (question === 1 ? ['127.0.0.2'] : ['127.0.0.1']))
    const url = `http://rebind.example:${receiver.port}`
    const first = await deliver([url], ['127.0.0.2/32'])
    const second = await deliver([url], ['127.0.0.2/32'])
    expect(first.get(url)).toMatchObject({ state: 'delivered' })
    expect(second.get(url)?.lastError).toContain('127.0.0.1 (an address of rebind.example) is a loopback address')
    expect(dns.asked).toEqual(['rebind.example', 'rebind.example'])
    expect(dials.addresses).toEqual(['127.0.0.2'])
  })

  it('reaches nothing by changing with every question', async () => {
    await using receiver = await ScriptedReceiver.start(DIAL_AGAIN, '127.0.0.2')
    dns.zone.set('flip.example', (question) => (question % 2 === 0 ? ['127.0.0.2'] : ['127.0.0.1']))
    const url = `http://flip.example:${receiver.port}`
    for (let round = 0; round < 10; round += 1) await deliver([url], ['127.0.0.2/32'])
    expect(new Set(dials.addresses)).toEqual(new Set(['127.0.0.2']))
    expect(dials.addresses).toHaveLength(receiver.requests.length)
    expect(receiver.requests.length).toBe(5)
  })
})

describe('a connection that is kept', () => {
  it('is not used any more once allow_networks has lost its network', async () => {
    await using receiver = await ScriptedReceiver.start(undefined, '127.0.0.2')
    const url = `http://127.0.0.2:${receiver.port}`
    const [before, kept] = [await deliver([url], ['127.0.0.2/32']), await deliver([url], ['127.0.0.2/32'])]
    expect([before.get(url)?.state, kept.get(url)?.state]).toEqual(['delivered', 'delivered'])
    expect(dials.addresses).toEqual(['127.0.0.2'])
    const after = await deliver([url], [])
    expect(after.get(url)?.lastError).toContain('127.0.0.2 is a loopback address')
    expect(receiver.requests).toHaveLength(2)
  })
})

describe('a receiver that redirects inside', () => {
  it.each([301, 302, 303, 307, 308])('fails with %i, and what it points to is not asked', async (code) => {
    const location = `http://127.0.0.1:${canary.port}/`
    const receiver = resources.use(await ScriptedReceiver.start(status(code, { location }), '127.0.0.2'))
    const url = `http://127.0.0.2:${receiver.port}`
    const row = (await deliver([url], ['127.0.0.2/32'])).get(url)
    expect(row).toMatchObject({ state: 'pending', lastStatus: code })
    expect(row?.lastError).toContain('redirects are not followed')
    expect(dials.addresses).toEqual(['127.0.0.2'])
    expect(canary.connections).toBe(0)
  })
})
