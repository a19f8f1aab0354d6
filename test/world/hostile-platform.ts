import { hash } from 'node:crypto'
import type { JsonObject } from '../../src/model/json.ts'
import type { Validator } from '../../src/model/validator.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import type { Failure, Outcome, Page, Row, Unchanged } from '../../src/platform/outcome.ts'
import type {
  FetchedResource,
  ItemRequest,
  ListedResource,
  PageRequest,
  Platform,
} from '../../src/platform/platform.ts'
import type { Random } from '../../src/sandbox/random.ts'
import { recordRow } from '../support/record-row.ts'
import { Desk, type Trouble } from './desk.ts'
import type { LeapingClock } from './leaping-clock.ts'
import type { Oracle } from './oracle.ts'
import { render } from './render.ts'
import { isItem } from './watched.ts'
import type { World } from './world.ts'

/** How likely a request is to go wrong, and the world to move on after it; and which list is not what it is. */
export interface Hostility {
  readonly faults: number
  readonly drift: number
  readonly trouble: Trouble | null
}

/** The platform as one process sees it, and the oracle's ear: it hears every answer. */
export interface WorldPlatform extends Platform {
  hostility: Hostility
  /** Whether the process that asks is dead. */
  killed: boolean
}

export interface HostilePlatformOptions {
  readonly world: World
  readonly clock: LeapingClock
  readonly random: Random
  readonly oracle: Oracle
  readonly mostRows: number
}

interface Asked {
  readonly resource: FetchedResource
  /** null: a list. */
  readonly id: string | null
  readonly path: string
}

const PAGE_SIZES = [3, 4, 5, 100]

/** The world without a wire. */
export class HostilePlatform implements WorldPlatform {
  hostility: Hostility = { faults: 0, drift: 0, trouble: null }
  killed = false
  readonly #options: HostilePlatformOptions
  readonly #desk: Desk
  /** The most rows that it gives a page; one that moves on may change it at any time. */
  #mostRows: number

  constructor(options: HostilePlatformOptions) {
    this.#options = options
    this.#mostRows = options.mostRows
    this.#desk = new Desk(options.world)
  }

  async list(resource: ListedResource, { known = null, skip, take }: PageRequest): Promise<Outcome<Page | Unchanged>> {
    const { oracle, random } = this.#options
    if (random.chance(this.hostility.drift / 5)) this.#mostRows = random.pick(PAGE_SIZES)
    return this.#answer({ resource, id: null, path: `${resource}s?skip=${skip}` }, (exchange) => {
      const rows = this.#desk.page(resource, skip, Math.min(take, this.#mostRows))
      oracle.page(resource, rows.length)
      if (rows.length === 0 && resource === 'shipment') return { kind: 'empty', exchange }
      const page = rows.map(({ id, facts }): Row => {
        const record = this.#render(facts)
        if (random.chance(this.hostility.faults / 8)) {
          oracle.met(resource, id)
          return { kind: 'rejected', id, reason: 'not understood', record }
        }
        oracle.shown({ resource, id, facts, answeredAt: exchange.answeredAt })
        return recordRow(id, record)
      })
      const facts = page.map(({ kind, id }, index) => [kind, id, rows[index]?.facts])
      return this.#unlessKnown(
        { value: { rows: page, shipmentIdField: null, certainIdField: null }, facts, exchange },
        known,
      )
    })
  }

  async item(resource: FetchedResource, id: string): Promise<Outcome<JsonObject>> {
    return this.#item(resource, id, (facts, exchange) => ({ kind: 'ok', value: this.#render(facts), exchange }))
  }

  async reread(resource: FetchedResource, { id, known }: ItemRequest): Promise<Outcome<JsonObject | Unchanged>> {
    return this.#item(resource, id, (facts, exchange) =>
      this.#unlessKnown({ value: this.#render(facts), facts, exchange }, known),
    )
  }

  async #item<T>(
    resource: FetchedResource,
    id: string,
    show: (facts: JsonObject, exchange: Exchange) => Outcome<T>,
  ): Promise<Outcome<T>> {
    const { oracle } = this.#options
    return this.#answer({ resource, id, path: `${resource}/${id}` }, (exchange) => {
      const facts = this.#desk.item(resource, id) ?? null
      const answer = { resource, id, facts, answeredAt: exchange.answeredAt }
      if (isItem(resource)) oracle.shown(answer)
      else oracle.fetched(answer)
      return facts === null ? { kind: 'not_found', exchange } : show(facts, exchange)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The same facts are often sent in the same bytes, and else in others. */
  #unlessKnown<T>(
    { exchange, facts, value }: { readonly value: T; readonly facts: unknown; readonly exchange: Exchange },
    known: Validator | null,
  ): Outcome<T | Unchanged> {
    const validator = { contentHash: hash('sha256', JSON.stringify(facts)), etag: null }
    const isSame = validator.contentHash === known?.contentHash && this.#options.random.chance(0.8)
    return { kind: 'ok', value: isSame ? 'unchanged' : value, exchange, validator }
  }

  #render(facts: JsonObject): JsonObject {
    return render(facts, this.#options.random)
  }

  async #answer<T>(asked: Asked, make: (exchange: Exchange) => Outcome<T>): Promise<Outcome<T>> {
    if (this.killed) throw new Error('killed')
    const { clock, random, world } = this.#options
    this.#desk.trouble = this.hostility.trouble
    const sentAt = clock.now()
    const answeredAt = sentAt + 1
    clock.jump(answeredAt + 1)
    const exchange = { method: 'GET', path: `/v1/${asked.path}`, sentAt, answeredAt, status: 200, bytes: 1 }
    const outcome = random.chance(this.hostility.faults) ? this.#fault(asked, exchange) : make(exchange)
    while (random.chance(this.hostility.drift)) world.mutate(random)
    return outcome
  }

  #fault({ resource, id }: Asked, exchange: Exchange): Failure {
    const { oracle, random } = this.#options
    const failure = random.pick<() => Failure>([
      () => ({ kind: 'throttled', reason: 'too many requests', retryAfterMs: 2_000, exchange }),
      () => ({ kind: 'broken', reason: 'the platform answered 500', retryAfterMs: null, exchange }),
      () => ({ kind: 'broken', reason: 'no JSON', retryAfterMs: null, exchange }),
      () => ({ kind: 'unreachable', reason: 'no answer within 30 s', exchange }),
      () => ({ kind: 'unauthorized', reason: 'the key was refused (401)', exchange }),
    ])()
    oracle.faulted({ resource, id, isFinal: failure.kind !== 'throttled' })
    return failure
  }
}
