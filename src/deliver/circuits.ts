import {
  afterTry,
  CLOSED,
  isProbed,
  probesAt,
  probesNewest,
  probeWaitMs,
  recalled,
  type Circuit,
  type EndedTry,
} from '../plan/circuit.ts'
import type { EndpointLoad, EndpointStore } from '../store/endpoint-port.ts'
import type { ClaimAmong } from '../store/ports.ts'

/** How old what is known of a backlog may be. */
const LOOK_EVERY_MS = 1_000

/** What may be tried now. */
export interface Tries {
  readonly places: ReadonlyMap<string, number>
  /** Of which subscriptions other rows than the oldest. */
  readonly among: ReadonlyMap<string, ClaimAmong>
}

/** How freely each endpoint is tried: one that fails with a backlog is probed, and one that recovers is not stormed. */
export class Circuits {
  readonly #byName = new Map<string, Circuit>()
  #loads: ReadonlyMap<string, EndpointLoad> | null = null
  #lookAt = Number.NEGATIVE_INFINITY

  /** What the store knows: of earlier processes once, and of backlogs and what commands enabled while any endpoint is probed. */
  async recall(store: EndpointStore, now: number): Promise<void> {
    const first = this.#loads === null
    if (!first && (!this.#isAnyProbed() || (now < this.#lookAt && now > this.#lookAt - LOOK_EVERY_MS))) return
    const loads = await store.endpointLoads()
    this.#lookAt = now + LOOK_EVERY_MS
    this.#loads = new Map(loads.map((load) => [load.subscription, load]))
    for (const load of loads) {
      const { subscription, failuresInARow, recovering } = load
      const isEnabledAnew = failuresInARow === 0 && this.#byName.get(subscription)?.places === 0
      if (first) this.#save(subscription, recalled({ failuresInARow, recovering: recovering === 1 }))
      else if (isEnabledAnew) this.close(subscription)
    }
  }

  /** An attempt has ended, and its outcome is being written. */
  ended(subscription: string, ended: EndedTry): void {
    const before = this.#byName.get(subscription) ?? CLOSED
    const after = afterTry(before, ended)
    if (after === before) return
    this.#save(subscription, after)
    if (after.places === 0 && before.places !== 0) this.#lookAt = Number.NEGATIVE_INFINITY
  }

  /** Nothing is known of it any more: it is another endpoint from now on. */
  close(subscription: string): void {
    this.#byName.delete(subscription)
  }

  /** Of these free places, those that may be used. Tests are tried at any time. */
  within(places: ReadonlyMap<string, number>, taken: (name: string) => number, now: number): Tries {
    if (this.#byName.size === 0) return { places, among: new Map() }
    const among = new Map<string, ClaimAmong>()
    const free = [...places].map(([name, amount]): [string, number] => {
      const circuit = this.#byName.get(name)
      if (circuit === undefined || circuit.places === null) return [name, amount]
      if (circuit.places > 0) return [name, Math.min(amount, circuit.places - taken(name))]
      if (!this.#isProbed(name, circuit)) return [name, amount]
      const waits = taken(name) > 0 || this.#probesAt(circuit, now) > now
      if (waits) among.set(name, 'tests')
      else if (probesNewest(circuit)) among.set(name, 'newest')
      return [name, waits ? amount : 1]
    })
    return { places: new Map(free.filter(([, amount]) => amount > 0)), among }
  }

  /** When the first of these that wait for a probe is probed; null where none waits. */
  nextAt(names: Iterable<string>, now: number): number | null {
    const instants = [...names].flatMap((name) => {
      const circuit = this.#byName.get(name)
      return circuit !== undefined && this.#isProbed(name, circuit) ? this.#probesAt(circuit, now) : []
    })
    const ahead = instants.filter((at) => at > now)
    return ahead.length === 0 ? null : Math.min(...ahead)
  }

  #probesAt(circuit: Circuit, now: number): number {
    const at = probesAt(circuit)
    return at - now > probeWaitMs(circuit.probes) ? now : at
  }

  #isProbed(name: string, circuit: Circuit): boolean {
    return isProbed(circuit, this.#loads?.get(name)?.pending ?? 0)
  }

  #isAnyProbed(): boolean {
    return [...this.#byName.values()].some(({ places }) => places === 0)
  }

  #save(subscription: string, circuit: Circuit): void {
    if (circuit.places === null && circuit.failures === 0) this.#byName.delete(subscription)
    else this.#byName.set(subscription, circuit)
  }
}
