import {
  afterTry,
  CLOSED,
  probed,
  probesNewest,
  probesAt,
  recalled,
  type Circuit,
  type OpenCircuit,
  type TryKind,
} from '../plan/circuit.ts'
import type { ClaimAmong, EndpointLoad, EndpointStore } from '../store/delivery-port.ts'

/** How old what is known of a backlog may be. */
const LOOK_EVERY_MS = 1_000

/** What may be tried now. */
export interface Tries {
  readonly places: ReadonlyMap<string, number>
  /** Of which subscriptions other rows than the oldest. */
  readonly among: ReadonlyMap<string, ClaimAmong>
  /** How many of them may be brought forward. */
  readonly forward: ReadonlyMap<string, number>
}

/** An attempt under way. */
export interface BegunTry {
  readonly subscription: string
  readonly kind: TryKind
  readonly isProbe: boolean
}

export interface TryEnd {
  /** null: it says nothing about the endpoint. */
  readonly delivered: boolean | null
  readonly endedAt: number
  readonly concurrency: number
}

/**
 * How freely each endpoint is tried: one that fails with a backlog is probed, and what waits for its schedule is brought
 * forward at a pace. Whether anything is, the store knows (`endpoints.recovering`).
 */
export class Circuits {
  readonly #byName = new Map<string, Circuit>()
  /** Attempts under way that were brought forward. */
  readonly #forwarded = new Map<string, number>()
  #loads: ReadonlyMap<string, EndpointLoad> | null = null
  #lookAt = Number.NEGATIVE_INFINITY

  /** What the store knows: of earlier processes once, and of backlogs and what commands enabled while any endpoint is probed. */
  async recall(store: EndpointStore, now: number): Promise<void> {
    const first = this.#loads === null
    if (!first && (now < this.#lookAt || !this.#isAnyOpen())) return
    const loads = await store.endpointLoads()
    this.#lookAt = now + LOOK_EVERY_MS
    this.#loads = new Map(loads.map((load) => [load.subscription, load]))
    for (const { subscription, failuresInARow } of loads) {
      if (first) this.#byName.set(subscription, recalled(failuresInARow))
      else if (failuresInARow === 0 && this.#of(subscription).open !== null) this.close(subscription)
    }
  }

  begin(subscription: string, kind: TryKind): BegunTry {
    if (kind === 'forwarded') this.#countForwarded(subscription, 1)
    return { subscription, kind, isProbe: this.#of(subscription).open !== null }
  }

  /** Its outcome is being written. */
  end({ subscription, kind, isProbe }: BegunTry, { delivered, ...end }: TryEnd): void {
    if (kind === 'forwarded') this.#countForwarded(subscription, -1)
    if (delivered === null) return
    const before = this.#of(subscription)
    const after = afterTry(before, { kind, isProbe, delivered, ...end })
    this.#byName.set(subscription, after)
    if (after.open !== null && before.open === null) this.#lookAt = Number.NEGATIVE_INFINITY
  }

  /** Nothing is known of it any more: it is another endpoint from now on. */
  close(subscription: string): void {
    this.#byName.delete(subscription)
  }

  /** Of these free places, those that may be used. Tests are tried at any time. */
  within(places: ReadonlyMap<string, number>, taken: (name: string) => number, now: number): Tries {
    const among = new Map<string, ClaimAmong>()
    const forward = new Map<string, number>()
    const free = [...places].map(([name, amount]): [string, number] => {
      forward.set(name, this.#of(name).pace - (this.#forwarded.get(name) ?? 0))
      const open = this.#probed(name)
      if (open === null) return [name, amount]
      const waits = taken(name) > 0 || probesAt(open) > now
      if (waits) among.set(name, 'tests')
      else if (probesNewest(open)) among.set(name, 'newest')
      return [name, waits ? amount : 1]
    })
    return { places: new Map(free), among, forward }
  }

  /** When the first of these that wait for a probe is probed; null where none waits. */
  nextAt(names: Iterable<string>, now: number): number | null {
    const instants = [...names].flatMap((name) => {
      const open = this.#probed(name)
      return open === null ? [] : probesAt(open)
    })
    const ahead = instants.filter((at) => at > now)
    return ahead.length === 0 ? null : Math.min(...ahead)
  }

  #of(subscription: string): Circuit {
    return this.#byName.get(subscription) ?? CLOSED
  }

  #probed(subscription: string): OpenCircuit | null {
    return probed(this.#of(subscription), this.#loads?.get(subscription)?.pending ?? 0)
  }

  #isAnyOpen(): boolean {
    return [...this.#byName.values()].some(({ open }) => open !== null)
  }

  #countForwarded(subscription: string, change: number): void {
    this.#forwarded.set(subscription, (this.#forwarded.get(subscription) ?? 0) + change)
  }
}
