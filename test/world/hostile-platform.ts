import { hash } from 'node:crypto'
import type { Exchange, Validator } from '../../src/model/exchange.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Page, Row } from '../../src/platform/outcome.ts'
import type { Platform } from '../../src/platform/platform.ts'
import type { Random } from '../../src/sandbox/random.ts'
import { FakePlatform, type Asked, type ItemAsked, type PageAsked, type Shown } from '../support/fake-platform.ts'
import { recordRow } from '../support/record-row.ts'
import type { Trouble } from '../support/trouble.ts'
import { Desk, type Trouble as ListTrouble } from './desk.ts'
import type { LeapingClock } from './leaping-clock.ts'
import type { Oracle } from './oracle.ts'
import { render } from './render.ts'
import { isItem, listedAs, toldAs } from './watched.ts'
import type { World } from './world.ts'

/** How likely a request is to go wrong, and the world to move on after it; and which list is not what it is. */
export interface Hostility {
  readonly faults: number
  readonly drift: number
  readonly trouble: ListTrouble | null
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

const PAGE_SIZES = [3, 4, 5, 100]
const TROUBLES: readonly Trouble[] = [
  { kind: 'throttled', retryAfterMs: 2_000 },
  { kind: 'broken' },
  { kind: 'garbled' },
  { kind: 'unreachable' },
  { kind: 'unauthorized' },
]

/** The world without a wire. */
export class HostilePlatform extends FakePlatform implements WorldPlatform {
  hostility: Hostility = { faults: 0, drift: 0, trouble: null }
  killed = false
  readonly #options: HostilePlatformOptions
  readonly #desk: Desk

  constructor(options: HostilePlatformOptions) {
    super(options.clock)
    this.#options = options
    this.#desk = new Desk(options.world)
    this.mostRows = options.mostRows
    this.onRequest = (asked) => this.#begin(asked)
    this.trouble = (_what, asked) => this.#fault(asked)
    // The same facts are often sent in the same bytes, and else in others.
    this.rewords = () => !options.random.chance(0.8)
    this.afterEach = () => this.#moveOn()
  }

  protected override page({ resource: list, skip, take }: PageAsked, { answeredAt }: Exchange): Shown<Page> {
    const { oracle, random } = this.#options
    const resource = listedAs(list)
    const rows = this.#desk.page(resource, skip, Math.min(take, this.mostRows))
    oracle.page(resource, rows.length)
    const page = rows.map(({ id, facts }): Row => {
      const record = this.#render(facts)
      if (random.chance(this.hostility.faults / 8)) {
        oracle.met(resource, id)
        return { kind: 'rejected', id, reason: 'not understood', record }
      }
      oracle.shown({ resource, id, facts, answeredAt })
      return recordRow(id, record)
    })
    const facts = page.map(({ kind, id }, index) => [kind, id, rows[index]?.facts])
    return { value: { rows: page, shipmentIdField: null, certainIdField: null }, validator: validatorOf(facts) }
  }

  protected override record({ resource: asked, id }: ItemAsked, { answeredAt }: Exchange): Shown<JsonObject> | null {
    const { oracle } = this.#options
    const resource = toldAs(asked)
    const facts = this.#desk.item(resource, id) ?? null
    const answer = { resource, id, facts, answeredAt }
    if (isItem(resource)) oracle.shown(answer)
    else oracle.fetched(answer)
    return facts === null ? null : { value: this.#render(facts), validator: validatorOf(facts) }
  }

  #render(facts: JsonObject): JsonObject {
    return render(facts, this.#options.random)
  }

  /** Each answer takes a moment; a platform that moves on may change its pages at any time. */
  #begin({ id }: Asked): void {
    const { clock, random } = this.#options
    if (id === null && random.chance(this.hostility.drift / 5)) this.mostRows = random.pick(PAGE_SIZES)
    if (this.killed) throw new Error('killed')
    this.#desk.trouble = this.hostility.trouble
    clock.jump(clock.now() + 1)
  }

  #fault({ resource, id }: Asked): Trouble | null {
    const { oracle, random } = this.#options
    if (!random.chance(this.hostility.faults)) return null
    const trouble = random.pick(TROUBLES)
    oracle.faulted({ resource: toldAs(resource), id, isFinal: trouble.kind !== 'throttled' })
    return trouble
  }

  #moveOn(): void {
    const { clock, random, world } = this.#options
    clock.jump(clock.now() + 1)
    while (random.chance(this.hostility.drift)) world.mutate(random)
  }
}

function validatorOf(facts: unknown): Validator {
  return { contentHash: hash('sha256', JSON.stringify(facts)), etag: null }
}
