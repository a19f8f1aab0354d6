import type { Random } from '../../src/sandbox/random.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import type { Failure, Outcome, Page, Row } from '../../src/platform/outcome.ts'
import type { FetchedResource, ListedResource, PageRequest, Platform } from '../../src/platform/platform.ts'
import type { LeapingClock } from './leaping-clock.ts'
import type { Oracle } from './oracle.ts'
import { render } from './render.ts'
import type { World } from './world.ts'

/** How likely a request is to go wrong, and the world to move on after it. */
export interface Hostility {
  readonly faults: number
  readonly drift: number
}

export interface HostilePlatformOptions {
  readonly world: World
  readonly clock: LeapingClock
  readonly random: Random
  readonly oracle: Oracle
  readonly mostRows: number
}

/** The world as one process sees it, and the oracle's ear: it hears every answer. */
export class HostilePlatform implements Platform {
  hostility: Hostility = { faults: 0, drift: 0 }
  /** Whether the process that asks is dead. */
  killed = false
  readonly #options: HostilePlatformOptions

  constructor(options: HostilePlatformOptions) {
    this.#options = options
  }

  async list(resource: ListedResource, { skip, take }: PageRequest): Promise<Outcome<Page>> {
    const { mostRows, oracle, world } = this.#options
    return this.#answer(`${resource}s?skip=${skip}`, (exchange) => {
      const rows = world.of(resource).slice(skip, skip + Math.min(take, mostRows))
      if (rows.length === 0 && resource === 'shipment') return { kind: 'empty', exchange }
      const page = rows.map((row): Row => {
        const record = this.#render(row.facts)
        if (this.#options.random.chance(this.hostility.faults / 8)) {
          oracle.met(resource, row.id)
          return { kind: 'rejected', id: row.id, reason: 'not understood', record }
        }
        oracle.shown({ resource, id: row.id, facts: row.facts, answeredAt: exchange.answeredAt })
        return { kind: 'record', id: row.id, record }
      })
      return { kind: 'ok', value: { rows: page, shipmentIdField: null }, exchange }
    })
  }

  async item(resource: FetchedResource, id: string): Promise<Outcome<JsonObject>> {
    const { oracle, world } = this.#options
    return this.#answer(`${resource}/${id}`, (exchange) => {
      if (resource === 'tracking') {
        const facts = world.tracking.get(id)
        if (facts === undefined) return { kind: 'not_found', exchange }
        oracle.shown({ resource, id, facts, answeredAt: exchange.answeredAt })
        return { kind: 'ok', value: this.#render(facts), exchange }
      }
      const found = resource === 'order_preparation' ? undefined : world.of(resource).find((row) => row.id === id)
      if (found === undefined) {
        oracle.absent(resource, id)
        return { kind: 'not_found', exchange }
      }
      oracle.present(resource, id)
      return { kind: 'ok', value: this.#render(found.facts), exchange }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #render(facts: JsonObject): JsonObject {
    return render(facts, this.#options.random)
  }

  async #answer<T>(path: string, make: (exchange: Exchange) => Outcome<T>): Promise<Outcome<T>> {
    if (this.killed) throw new Error('killed')
    const { clock, random, world } = this.#options
    const sentAt = clock.now()
    const answeredAt = sentAt + 1
    clock.jump(answeredAt + 1)
    const exchange = { method: 'GET', path: `/v1/${path}`, sentAt, answeredAt, status: 200, bytes: 1 }
    const outcome = random.chance(this.hostility.faults) ? this.#fault(exchange) : make(exchange)
    while (random.chance(this.hostility.drift)) world.mutate(random)
    return outcome
  }

  #fault(exchange: Exchange): Failure {
    const { oracle, random } = this.#options
    oracle.faulted()
    return random.pick<() => Failure>([
      () => ({ kind: 'throttled', reason: 'too many requests', retryAfterMs: 2_000, exchange }),
      () => ({ kind: 'broken', reason: 'the platform answered 500', retryAfterMs: null, exchange }),
      () => ({ kind: 'broken', reason: 'no JSON', retryAfterMs: null, exchange }),
      () => ({ kind: 'unreachable', reason: 'no answer within 30 s', exchange }),
      () => ({ kind: 'unauthorized', reason: 'the key was refused (401)', exchange }),
    ])()
  }
}
