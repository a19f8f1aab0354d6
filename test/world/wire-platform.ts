import { systemClock } from '../../src/clock.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ListedResource } from '../../src/model/resource.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import type { Outcome, Page, Unchanged } from '../../src/platform/outcome.ts'
import type {
  FetchedResource,
  ItemRequest,
  KnownRows,
  PageRequest,
  Platform,
  UnreadPage,
} from '../../src/platform/platform.ts'
import type { HostilePlatformOptions, Hostility, WorldPlatform } from './hostile-platform.ts'
import type { Fault } from './fault.ts'
import type { Resource } from './facts.ts'
import { isItem, listedAs, toldAs } from './watched.ts'
import type { Kind } from './world.ts'
import { WORLD_KEY, type WorldServer } from './world-server.ts'

/** No answer is late but those that stall. */
const PATIENT_MS = 30_000
/** A stalled answer is cut off soon. */
const HASTY_MS = 150

type Ok = Extract<Outcome<Page | UnreadPage | Unchanged>, { readonly kind: 'ok' }>

function isUnread(value: Page | UnreadPage | Unchanged): value is UnreadPage {
  return value !== 'unchanged' && 'read' in value
}

/** The world at the end of a wire: the product's own client asks, and the oracle hears what it made of each answer. */
export class WirePlatform implements WorldPlatform {
  killed = false
  readonly #options: HostilePlatformOptions
  readonly #server: WorldServer
  readonly #patient: Platform
  readonly #hasty: Platform
  #hostility: Hostility = { faults: 0, drift: 0, trouble: null }
  #rounds = 0

  constructor(server: WorldServer, options: HostilePlatformOptions) {
    this.#options = options
    this.#server = server
    server.show(options)
    const { clock } = options
    server.now = () => clock.now()
    // Answers take real time, whatever the clock of the world says.
    const timed = { now: () => clock.now(), after: (ms: number, act: () => void) => systemClock.after(ms, act) }
    const common = { baseUrl: server.url, apiKey: WORLD_KEY, concurrency: 4, userAgent: 'shipbell/world', clock: timed }
    this.#patient = createPlatformClient({ ...common, timeoutMs: PATIENT_MS })
    this.#hasty = createPlatformClient({ ...common, timeoutMs: HASTY_MS })
  }

  get hostility(): Hostility {
    return this.#hostility
  }

  set hostility(hostility: Hostility) {
    const { faults, drift, trouble } = hostility
    this.#hostility = hostility
    this.#rounds += 1
    const each = faults / 5
    const rates = { '429': each, '500': each, stall: each / 4, broken: each, html: each, shift: drift }
    this.#server.misbehave(rates, `${this.#options.clock.now()} ${this.#rounds}`)
    this.#server.spoilt = faults / 8
    if (this.#server.desk !== null) this.#server.desk.trouble = trouble
  }

  async list(
    resource: ListedResource,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | UnreadPage | Unchanged>> {
    const list = listedAs(resource)
    const outcome = await this.#ask(async (client) => client.list(resource, request, signal))
    const heard =
      outcome.kind === 'ok' && isUnread(outcome.value) ? this.#heardLater(list, outcome.value, outcome) : null
    if (heard === null) this.#hearList(list, outcome)
    return this.#moveOn(heard ?? outcome)
  }

  /** The oracle hears of the rows when they are read. */
  #heardLater(resource: Kind, { read }: UnreadPage, outcome: Ok): Ok {
    const hearing = async (known: KnownRows): Promise<Outcome<Page>> => {
      const page = await read(known)
      this.#hearList(resource, page)
      return page
    }
    return { ...outcome, value: { kind: 'unread', read: hearing } }
  }

  #hearList(resource: Kind, outcome: Outcome<Page | UnreadPage | Unchanged>): void {
    const { oracle } = this.#options
    if (outcome.kind === 'ok' && !isUnread(outcome.value))
      this.#hearPage(resource, outcome.value, outcome.exchange.answeredAt)
    else if (outcome.kind === 'empty') oracle.page(resource, 0)
    else if (outcome.kind !== 'ok') oracle.faulted(faultOf(resource, null, outcome))
  }

  async item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>> {
    const outcome = await this.#ask(async (client) => client.item(resource, id, signal))
    return this.#hearItem(toldAs(resource), id, outcome)
  }

  #hearItem<T>(resource: Resource, id: string, outcome: Outcome<T>): Outcome<T> {
    const { oracle } = this.#options
    if (outcome.kind === 'ok' || outcome.kind === 'not_found') {
      const facts = outcome.kind === 'ok' ? this.#server.lastItem(resource, id) : null
      const answer = { resource, id, facts, answeredAt: outcome.exchange.answeredAt }
      if (isItem(resource)) oracle.shown(answer)
      else oracle.fetched(answer)
    } else oracle.faulted(faultOf(resource, id, outcome))
    return this.#moveOn(outcome)
  }

  async reread(
    resource: FetchedResource,
    request: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>> {
    const outcome = await this.#ask(async (client) => client.reread(resource, request, signal))
    return this.#hearItem(toldAs(resource), request.id, outcome)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.killed = true
    await Promise.all([this.#patient[Symbol.asyncDispose](), this.#hasty[Symbol.asyncDispose]()])
  }

  async #ask<T>(request: (client: Platform) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.killed) throw new Error('killed')
    const outcome = await request(this.#hostility.faults > 0 ? this.#hasty : this.#patient)
    if (this.killed) throw new Error('killed')
    return outcome
  }

  /** What the client made of each row that was served, in the order of the page. */
  #hearPage(resource: Kind, page: Page | Unchanged, answeredAt: number): void {
    const { oracle } = this.#options
    const served = this.#server.lastPage(resource)
    const rows = page === 'unchanged' ? served.map(({ id }) => ({ kind: 'record', id }) as const) : page.rows
    oracle.page(resource, rows.length)
    for (const [index, row] of rows.entries()) {
      const truth = served[index]
      if (truth === undefined || truth.id !== row.id)
        oracle.tally.complain(`${resource} ${row.id}: not what was served`)
      else if (row.kind === 'record') oracle.shown({ resource, id: truth.id, facts: truth.facts, answeredAt })
      else oracle.met(resource, truth.id)
    }
    if (served.length !== rows.length)
      oracle.tally.complain(`${resource}: ${rows.length} rows, served ${served.length}`)
  }

  /** Time passes, and the world moves on. */
  #moveOn<T>(outcome: Outcome<T>): Outcome<T> {
    const { clock, random, world } = this.#options
    clock.jump(clock.now() + 1)
    while (random.chance(this.#hostility.drift)) world.mutate(random)
    return outcome
  }
}

function faultOf(resource: Fault['resource'], id: string | null, { kind }: Outcome<unknown>): Fault {
  return { resource, id, isFinal: kind !== 'throttled' }
}
