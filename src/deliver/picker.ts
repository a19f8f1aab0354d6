import type { Clock } from '../clock.ts'
import type { ClaimAmong, ClaimedDelivery, DeliveryStore, AttemptResult, WaitingDelivery } from '../store/ports.ts'
import type { Endpoints } from './endpoints.ts'
import type { BatchDelay } from './batch-delay.ts'
import type { ResultBuffer } from './result-buffer.ts'
import type { Batch } from './batches.ts'
import type { Cooldowns } from './cooldowns.ts'
import type { InFlight } from './in-flight.ts'
import type { SteadyTime } from './steady-time.ts'

export interface PickerDeps {
  readonly store: DeliveryStore
  readonly owner: string
  readonly clock: Clock
  readonly time: SteadyTime
  readonly endpoints: Endpoints
  readonly batchDelay: BatchDelay
  readonly inFlight: InFlight
  readonly cooldowns: Cooldowns
  readonly resultBuffer: ResultBuffer
}

export interface PickRequest {
  /** In steady time. */
  readonly now: number
  readonly leaseMs: number
  /** Of each subscription that may send, how many batches. */
  readonly places: ReadonlyMap<string, number>
  /** Of which subscriptions other rows than the oldest are picked. */
  readonly among: ReadonlyMap<string, ClaimAmong>
  /** The deliveries that were asked for by command; loses those that are picked, or wait for nothing but their channel. Left out: all are due. */
  readonly untried?: Set<string>
}

/** What a channel that gathers makes of what waits for it: this is claimed, and nothing else. */
interface Wanted {
  readonly batches: readonly Batch<WaitingDelivery>[]
  readonly deferred: { readonly deliveries: readonly WaitingDelivery[]; readonly until: number } | null
}

/** Takes from the store what is sent next. */
export class Picker {
  readonly #deps: PickerDeps

  constructor(deps: PickerDeps) {
    this.#deps = deps
  }

  /** Batches of what was claimed, each to be sent before the next is asked for: it waits for no further look. */
  async *pick(pick: PickRequest): AsyncGenerator<readonly Batch[]> {
    const { endpoints } = this.#deps
    const names = [...pick.places.keys()]
    const gathering = new Set(names.filter((name) => endpoints.get(name)?.looksFirst === true))
    const single = new Map([...pick.places].filter(([name]) => !gathering.has(name)))
    yield await this.#pickSingly(pick, single)
    yield await this.#pickGathered(pick, gathering)
  }

  /** Each delivery is a batch: what is due and has a place is claimed. */
  async #pickSingly(pick: PickRequest, slots: PickRequest['places']): Promise<readonly Batch[]> {
    const claimed = await this.#claim(pick, slots)
    for (const { id } of claimed) pick.untried?.delete(id)
    return claimed.map((delivery) => [delivery])
  }

  /** Looks at what waits, lets the channels pack it, and claims what goes into a batch that has a place. */
  async #pickGathered(pick: PickRequest, names: ReadonlySet<string>): Promise<readonly Batch[]> {
    const { store, endpoints, inFlight } = this.#deps
    if (names.size === 0) return []
    const most = new Map([...names].map((name) => [name, endpoints.get(name)?.batchPolicy.most ?? 1]))
    const looked = await store.waiting({ now: pick.now, most, among: pick.among, ...only(pick) })
    const idle = looked.filter(({ id }) => !inFlight.holds(id))
    const groups = Map.groupBy(idle, ({ subscription }) => subscription)
    const wanted = [...groups].map(([name, waiting]) => this.#form(name, waiting, pick))
    return await this.#claimWanted(wanted, pick)
  }

  #form(name: string, waiting: readonly WaitingDelivery[], { now, places, untried }: PickRequest): Wanted {
    const { endpoints, batchDelay, cooldowns, clock, time } = this.#deps
    const endpoint = endpoints.get(name)
    if (endpoint === undefined) return { batches: [], deferred: null }
    const forced = untried !== undefined
    const coolingUntil = forced ? null : cooldowns.until(endpoint.address, now)
    const awake = coolingUntil === null ? waiting : waiting.filter(({ event }) => event.cause === 'test')
    const { batches, waitUntil, deferred = null } = endpoint.batchPolicy.form(awake, { now: clock.now(), forced })
    const free = places.get(name) ?? 0
    const placeless = new Set(batches.slice(free).flat())
    for (const delivery of waiting) if (!placeless.has(delivery)) untried?.delete(delivery.id)
    const idleUntil = coolingUntil ?? (waitUntil === null ? null : time.whenShown(waitUntil))
    if (!forced) batchDelay.shut(name, placeless.size > 0 ? null : idleUntil, now)
    return { batches: batches.slice(0, free), deferred }
  }

  /** A row that somebody held, discarded or retried since it was looked at may be missing: the others go without it. */
  async #claimWanted(wanted: readonly Wanted[], pick: PickRequest): Promise<readonly Batch[]> {
    const deferred = wanted.flatMap((each) => each.deferred ?? [])
    const rows = [...wanted.flatMap(({ batches }) => batches.flat()), ...deferred.flatMap((each) => each.deliveries)]
    const slots = new Map(
      [...Map.groupBy(rows, ({ subscription }) => subscription)].map(([name, all]) => [name, all.length]),
    )
    const ids = rows.map(({ id }) => id)
    const claimed = new Map((await this.#claim(pick, slots, ids)).map((delivery) => [delivery.id, delivery]))
    const taken = (deliveries: readonly WaitingDelivery[]): readonly ClaimedDelivery[] =>
      deliveries.flatMap(({ id }) => claimed.get(id) ?? [])
    for (const { deliveries, until } of deferred)
      for (const { id } of taken(deliveries)) this.#putOff(id, { kind: 'retry', at: this.#deps.time.whenShown(until) })
    return wanted.flatMap(({ batches }) => batches.flatMap((batch) => batchOf(taken(batch))))
  }

  #putOff(id: string, result: AttemptResult['result']): void {
    this.#deps.resultBuffer.add({ id, attempt: null, result })
  }

  /** What an own claim that ran out gave back is in hand still: its attempt goes on. */
  async #claim(
    pick: PickRequest,
    slots: PickRequest['places'],
    ids?: readonly string[],
  ): Promise<readonly ClaimedDelivery[]> {
    if (slots.size === 0) return []
    const { store, owner, clock } = this.#deps
    const { now, leaseMs, among } = pick
    const choice = ids === undefined ? only(pick) : { only: ids }
    const claimed = await store.claim({ owner, now, wallNow: clock.now(), leaseMs, slots, among, ...choice })
    return claimed.filter(({ id }) => !this.#deps.inFlight.holds(id))
  }
}

function only({ untried }: PickRequest): { readonly only?: readonly string[] } {
  return untried === undefined ? {} : { only: [...untried] }
}

function batchOf([first, ...rest]: readonly ClaimedDelivery[]): readonly Batch[] {
  return first === undefined ? [] : [[first, ...rest]]
}
