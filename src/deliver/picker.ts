import type { Clock } from '../clock.ts'
import type { AttemptResult } from '../model/attempt-result.ts'
import type {
  ClaimAmong,
  ClaimedDelivery,
  ClaimLimit,
  DeliveryStore,
  WaitingDelivery,
} from '../store/ports/delivery-port.ts'
import type { Available } from './availability.ts'
import type { ResultBuffer } from './result-buffer.ts'
import type { Batch } from './batches.ts'
import type { SteadyTime } from './steady-time.ts'
import type { Formed } from './subscription-runtime.ts'
import type { SubscriptionRuntimes } from './subscription-runtimes.ts'

export interface PickerDeps {
  readonly store: DeliveryStore
  readonly owner: () => string
  readonly clock: Clock
  readonly time: SteadyTime
  readonly runtimes: SubscriptionRuntimes
  readonly resultBuffer: ResultBuffer
}

export interface PickRequest {
  /** This moment, in steady time. */
  readonly now: number
  readonly leaseMs: number
  /** What may go of each subscription. */
  readonly available: ReadonlyMap<string, Available>
  /** The most rows that are claimed at once, where others send, too. Left out: as many as have a place. */
  readonly most?: number
  /** Deliveries that a command asked for. Loses those that are picked, or wait for nothing but their channel. Left out: whatever is due. */
  readonly untried?: Set<string>
}

/**
 * Takes from the store what is sent next. Most channels send each delivery by itself. A channel that sends several events in one
 * message is shown what waits, without payloads; its `batchPolicy` makes batches of that, and only what goes into a batch with a
 * free place is claimed. So a backlog of thousands costs a look, and a claim costs what is sent.
 */
export class Picker {
  readonly #deps: PickerDeps

  constructor(deps: PickerDeps) {
    this.#deps = deps
  }

  /** Batches of what was claimed. Send each before asking for the next, so that it waits for no further look. */
  async *pick(pick: PickRequest): AsyncGenerator<readonly Batch[]> {
    const { runtimes } = this.#deps
    const open = [...pick.available].filter(([, { places }]) => places > 0)
    const [single, looked] = [new Map<string, number>(), new Map<string, number>()]
    for (const [name, { places }] of open) {
      const most = runtimes.get(name).looksAt
      if (most === null) single.set(name, places)
      else looked.set(name, most)
    }
    yield await this.#pickSingly(pick, single)
    yield await this.#pickFormed(pick, looked)
  }

  /**
   * Puts off what no channel would send yet, and picks nothing. Resolves to how many rows that were: more may wait behind them,
   * once these are settled.
   */
  async putOff(pick: Omit<PickRequest, 'untried'>): Promise<number> {
    const { store, runtimes, resultBuffer } = this.#deps
    const before = resultBuffer.size
    const most = new Map([...pick.available.keys()].map((name) => [name, runtimes.get(name).looksAt ?? 0]))
    const waiting = await store.waiting({ owner: this.#deps.owner(), now: pick.now, most, ...choices(pick) })
    const formed = [...Map.groupBy(waiting, ({ subscription }) => subscription)].map(([name, deliveries]) => ({
      ...this.#form(name, deliveries, pick),
      batches: [],
    }))
    await this.#claimFormed(formed, pick)
    return resultBuffer.size - before
  }

  /** Each delivery is a batch: what is due and has a place is claimed. */
  async #pickSingly(pick: PickRequest, slots: ReadonlyMap<string, number>): Promise<readonly Batch[]> {
    const claimed = await this.#claim(pick, slots)
    for (const { id } of claimed) pick.untried?.delete(id)
    return claimed.map((delivery) => [delivery])
  }

  /** Looks at what waits, lets the channels form batches of it, and claims what goes into one that has a place. */
  async #pickFormed(pick: PickRequest, most: ReadonlyMap<string, number>): Promise<readonly Batch[]> {
    const { owner, store, runtimes } = this.#deps
    if (most.size === 0) return []
    const looker = pick.untried === undefined ? { owner: owner() } : {}
    const waiting = await store.waiting({ ...looker, now: pick.now, most, ...choices(pick), ...only(pick) })
    const idle = waiting.filter(({ id }) => !runtimes.holds(id))
    const groups = Map.groupBy(idle, ({ subscription }) => subscription)
    return await this.#claimFormed(
      [...groups].map(([name, deliveries]) => this.#form(name, deliveries, pick)),
      pick,
    )
  }

  #form(name: string, waiting: readonly WaitingDelivery[], { now, available, untried }: PickRequest): Formed {
    const { runtimes, clock, time } = this.#deps
    const places = available.get(name)?.places ?? 0
    const formed = runtimes.get(name).form(waiting, { now, places, forced: untried !== undefined, time, clock })
    const placeless = new Set(formed.placeless)
    for (const delivery of waiting) if (!placeless.has(delivery)) untried?.delete(delivery.id)
    return formed
  }

  /** A command may have held, discarded or retried a row since the look: then the batch goes without it. */
  async #claimFormed(formed: readonly Formed[], pick: PickRequest): Promise<readonly Batch[]> {
    const deferred = formed.flatMap((each) => each.deferred)
    const rows = [...formed.flatMap(({ batches }) => batches.flat()), ...deferred.flatMap((each) => each.deliveries)]
    const slots = new Map(
      [...Map.groupBy(rows, ({ subscription }) => subscription)].map(([name, all]) => [name, all.length]),
    )
    const ids = rows.map(({ id }) => id)
    const attempts = new Map(formed.flatMap(({ batches }) => countOf(batches)))
    const claimed = new Map(
      (await this.#claim(pick, slots, { ids, attempts })).map((delivery) => [delivery.id, delivery]),
    )
    const taken = (deliveries: readonly WaitingDelivery[]): readonly ClaimedDelivery[] =>
      deliveries.flatMap(({ id }) => claimed.get(id) ?? [])
    for (const { deliveries, until } of deferred)
      for (const { id } of taken(deliveries)) this.#putOff(id, { kind: 'retry', at: this.#deps.time.whenShown(until) })
    return formed.flatMap(({ batches }) => batches.flatMap((batch) => batchOf(taken(batch))))
  }

  #putOff(id: string, result: AttemptResult['result']): void {
    this.#deps.resultBuffer.add({ id, attempt: null, result })
  }

  /** Leaves out what this process still sends: a claim of its own ran out, but the attempt goes on. */
  async #claim(
    pick: PickRequest,
    slots: ReadonlyMap<string, number>,
    gathered?: Gathered,
  ): Promise<readonly ClaimedDelivery[]> {
    if (slots.size === 0) return []
    const { store, owner, clock } = this.#deps
    const { now, leaseMs } = pick
    const choice = gathered === undefined ? only(pick) : { only: gathered.ids }
    const limits = new Map([...slots.keys()].map((name) => [name, this.#limitOf(name, gathered)]))
    const limiting = { limits, forced: pick.untried !== undefined, ...most(pick, gathered) }
    const request = {
      owner: owner(),
      now,
      wallNow: clock.now(),
      leaseMs,
      slots,
      ...choices(pick),
      ...choice,
      ...limiting,
    }
    return (await store.claim(request)).filter(({ id }) => !this.#deps.runtimes.holds(id))
  }

  #limitOf(name: string, gathered: Gathered | undefined): ClaimLimit {
    const { limit } = this.#deps.runtimes.get(name)
    return gathered === undefined ? limit : { ...limit, attempts: gathered.attempts.get(name) ?? 0 }
  }
}

/** What goes in batches, and in how many of each subscription. */
interface Gathered {
  readonly ids: readonly string[]
  readonly attempts: ReadonlyMap<string, number>
}

function countOf(batches: readonly Batch<WaitingDelivery>[]): readonly (readonly [string, number])[] {
  const [first] = batches
  return first === undefined ? [] : [[first[0].subscription, batches.length]]
}

/** What is gathered goes together, or not at all. */
function most({ most: atOnce }: PickRequest, gathered: Gathered | undefined): { readonly most?: number } {
  return atOnce === undefined || gathered !== undefined ? {} : { most: atOnce }
}

function only({ untried }: PickRequest): { readonly only?: readonly string[] } {
  return untried === undefined ? {} : { only: [...untried] }
}

function choices({ available }: Pick<PickRequest, 'available'>) {
  const all = [...available]
  return {
    among: new Map(
      all.flatMap(([name, { among }]): [string, ClaimAmong][] => (among === undefined ? [] : [[name, among]])),
    ),
    forward: new Map(all.map(([name, { forward }]) => [name, forward])),
  }
}

function batchOf([first, ...rest]: readonly ClaimedDelivery[]): readonly Batch[] {
  return first === undefined ? [] : [[first, ...rest]]
}
