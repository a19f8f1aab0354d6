import { setTimeout as delay } from 'node:timers/promises'
import { parseFaultRates } from '../../../src/sandbox/fault-rates.ts'
import { randomOf, type Random } from '../../../src/sandbox/random.ts'
import { emittedOfPayload } from '../../world/emitted.ts'
import { multisetDifference } from '../../world/multiset-difference.ts'
import { SettledTruth } from '../../world/settled-truth.ts'
import { WORLD_KEY, WorldServer } from '../../world/world-server.ts'
import { REFERENCES, World, type Kind } from '../../world/world.ts'
import { BUDGET } from '../../pipeline/yard.ts'
import type { LoopbackReceiver, Received } from '../../support/loopback-receiver.ts'

const KINDS: readonly Kind[] = ['shipment', 'invoice', 'document', 'purchase_order', 'location', 'order_preparation']
const WATCHED = 7
const LISTS = ['shipments', 'invoices', 'documents', 'purchaseOrders', 'locations']
const FROM_THE_START = [...LISTS.map((list) => `/v1/${list}?skip=0&take=100`), '/v1/orderPreparations/OP-1']
/** Dates that no calendar comes by meanwhile. */
const ERA = Date.UTC(2040, 0, 1)
const MUTATIONS_A_TURN = 25
const LOOK_MS = 100
const LONGEST_PAUSE_MS = 3_000

/**
 * An account with every kind of record, of which an oracle knows what must ring. Much happens in it at once; once all that was told,
 * and read twice more, the next happens.
 */
export class WorldAccount implements AsyncDisposable {
  readonly name: string
  /** When its platform was asked. */
  readonly times: number[] = []
  turns = 0
  readonly #receiver: LoopbackReceiver
  readonly #server: WorldServer
  readonly #random: Random
  readonly #world: World
  readonly #truth: SettledTruth
  readonly #expected: string[] = []
  #asked = new Map<string, number>()

  private constructor(name: string, server: WorldServer, receiver: LoopbackReceiver) {
    this.name = name
    this.#server = server
    this.#receiver = receiver
    this.#random = randomOf('workers', name)
    const random = this.#random
    this.#world = new World({ random, resources: KINDS, fewest: 4, era: ERA, isForgettable: () => false })
    this.#truth = new SettledTruth({ account: name, zone: 'UTC', leads: [], graceMs: 86_400_000 })
    this.#truth.learn(this.#world)
    server.show({ world: this.#world, random, mostRows: random.pick([3, 100]) })
    server.onRequest = (path) => {
      this.times.push(performance.now())
      this.#asked.set(path, (this.#asked.get(path) ?? 0) + 1)
    }
  }

  static async open(name: string, receiver: LoopbackReceiver): Promise<WorldAccount> {
    return new WorldAccount(name, await WorldServer.start(), receiver)
  }

  /** Its line under `accounts`. */
  get yaml(): string {
    const { concurrency, requests } = BUDGET
    const lists = ['documents', 'purchase_orders', 'locations'].map((list) => `${list}: { every: 1s }`).join(', ')
    const preparations = `order_preparations: { every: 1s, references: [${REFERENCES.join(', ')}] }`
    const shipments = 'shipments: { every: 1s, milestone_grace: 24h }, tracking: { every: 2s }'
    return (
      `  ${this.name}: { base_url: "${this.#server.url}", api_key: ${WORLD_KEY}, ` +
      `budget: { requests: ${requests}, per: 1s, concurrency: ${concurrency} }, ` +
      `watch: { ${shipments}, invoices: { every: 1s, due_soon: [] }, ${lists}, ${preparations} } }`
    )
  }

  /** Every list was learnt. From then on rows jump between pages: what a baseline overlooked would be created. */
  get isBaselined(): boolean {
    if (this.#emitted.filter((event) => event.includes('baseline')).length < WATCHED) return false
    this.#server.misbehave({ ...parseFaultRates('none'), shift: 0.1 }, 'rows jump')
    return true
  }

  /** One turn after the other until `signal` aborts. */
  async live(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#turn()
      while (!signal.aborted && !this.isSettled) await delay(LOOK_MS)
      await this.#readAgain(signal)
      await delay(this.#random.whole(0, LONGEST_PAUSE_MS))
    }
  }

  get isSettled(): boolean {
    const { invented, missed } = this.difference
    return missed.length + invented.length === 0
  }

  get difference(): { readonly missed: readonly string[]; readonly invented: readonly string[] } {
    const rang = this.#emitted.filter((event) => !event.includes('baseline'))
    return multisetDifference(this.#expected, rang)
  }

  /** How many events must have rung so far. */
  get expected(): number {
    return this.#expected.length
  }

  /** What is wrong with what came, whatever it is about: two texts under one id, gaps in a series or in a subject's chain. */
  get faults(): readonly string[] {
    const all = this.#received
    const texts = Map.groupBy(all, ({ id }) => id)
    const twoFaced = [...texts].filter(([, same]) => new Set(same.map(textOf)).size > 1).map(([id]) => id)
    const events = this.#events
    const gaps = events.filter(({ sequence }, index) => sequence !== index + 1).slice(0, 1)
    const subjects = Map.groupBy(events, ({ subject }) => `${subject.resource} ${subject.id}`)
    const broken = [...subjects].filter(([, own]) => own.some(({ subject }, index) => subject.version !== index + 1))
    return [
      ...twoFaced.map((id) => `${this.name}: ${id} came with two texts`),
      ...gaps.map(({ sequence }) => `${this.name}: the series has a gap before ${sequence}`),
      ...broken.map(([subject]) => `${this.name}: the chain of ${subject} has a gap`),
    ]
  }

  #turn(): void {
    const world = this.#world
    const tracked = new Map(world.tracking)
    for (let each = 0; each < MUTATIONS_A_TURN; each += 1) world.mutate(this.#random)
    // What a shipment's tracking shows while it vanishes may be read or not.
    const present = new Set(world.of('shipment').map(({ id }) => id))
    for (const [id, tracking] of tracked) if (!present.has(id)) world.tracking.set(id, tracking)
    this.#expected.push(...this.#truth.turn(world).map(withoutInstant))
    this.turns += 1
  }

  async #readAgain(signal: AbortSignal): Promise<void> {
    this.#asked = new Map()
    const passes = (): number => Math.min(...FROM_THE_START.map((path) => this.#asked.get(path) ?? 0))
    while (!signal.aborted && passes() < 2) await delay(LOOK_MS)
  }

  get #received(): readonly Received[] {
    return this.#receiver.received.filter(({ payload }) => payload['account'] === this.name)
  }

  get #events(): readonly Received['payload'][] {
    return this.#receiver.events.filter((payload) => payload['account'] === this.name)
  }

  get #emitted(): readonly string[] {
    return this.#events.map(emittedOfPayload)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }
}

/** When a day was crossed is known only to the program. */
function withoutInstant(event: string): string {
  return event.replace(/\["at","[^"]*"\],?/, '')
}

function textOf({ payload }: Received): string {
  return JSON.stringify(payload)
}
