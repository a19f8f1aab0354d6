import { turnTaking, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AttemptResult } from '../model/attempt-result.ts'
import type { EndpointFacts, EndpointHealth, EndpointState } from '../model/endpoint.ts'
import type { EventDraft } from '../model/event.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import type { ServiceEvent } from '../model/service-event.ts'
import { MANY_SUBSCRIPTIONS } from './own-room.ts'
import { isGivenUp, nextNotice } from '../plan/circuit.ts'
import { endpointEvent } from '../route/endpoint-event.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'
import type { EndpointStore } from '../store/ports/delivery-port.ts'
import type { PollStore } from '../store/ports/store.ts'

/** How often endpoints in trouble are looked at without a new outcome: a recovery may wait for nothing but time. */
const LOOK_AGAIN_MS = 60_000

/**
 * Commits the next event about a subscription together with its rows. `derive` makes it from the subscription's own record, and
 * again where that changed meanwhile; null: nothing is committed. Resolves to the event.
 */
export type RingEndpoint = (
  subscription: string,
  derive: (before: RecordState | null) => ServiceEvent | null,
) => Promise<EventDraft | null>

export interface EndpointWatchDeps {
  readonly store: EndpointStore & Pick<AdminStore, 'disable'> & Pick<PollStore, 'records'>
  readonly ring: RingEndpoint
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Rings the events of endpoints (`endpoint.*`), once per change, and disables endpoints that are given up. The store writes how
 * attempts went in the transaction that settles them; the subscription's own record remembers what was emitted. This compares the
 * two (`plan/circuit.ts`) after outcomes and at each start. So there is no queue of notices that could be lost or sent
 * twice: a process that dies in between leaves a difference, and the next one rings it. No delivery waits for this.
 */
export class EndpointWatch {
  readonly #deps: EndpointWatchDeps
  /** The state that was reported last, as of the last look at an endpoint's record. */
  readonly #emitted = new Map<string, EndpointHealth | null>()
  #lookUnderWay: Promise<void> | null = null
  /** Outcomes that came after the look under way began. */
  #meanwhile: AttemptResult[] = []
  #lookAgainAt = Number.NEGATIVE_INFINITY
  #rung = 0

  constructor(deps: EndpointWatchDeps) {
    this.#deps = deps
  }

  /** How often the watch rang. */
  get rung(): number {
    return this.#rung
  }

  /** Call it after these outcomes were written, and now and then without any. Returns at once, never throws. */
  follow(settled: readonly AttemptResult[]): void {
    if (this.#lookUnderWay !== null) {
      this.#meanwhile.push(...settled)
      return
    }
    if (!this.#isNews(settled) && this.#deps.clock.monotonic() < this.#lookAgainAt) return
    this.#lookUnderWay = this.#lookUntilFresh()
  }

  /** The database may have gone back: what was rung is asked for anew. */
  forget(): void {
    this.#emitted.clear()
    this.#lookAgainAt = Number.NEGATIVE_INFINITY
  }

  /** Resolves once every event is committed that `follow` was called for. */
  async idle(): Promise<void> {
    await this.#lookUnderWay
  }

  /** A failure, or whatever happens while people know of trouble. */
  #isNews(settled: readonly AttemptResult[]): boolean {
    const hasFailed = settled.some(({ attempt, result }) => attempt !== null && result.kind !== 'delivered')
    return hasFailed || (settled.length > 0 && this.#isAnyoneInTrouble())
  }

  #isAnyoneInTrouble(): boolean {
    return [...this.#emitted.values()].some((emitted) => emitted !== null && emitted.state !== 'ok')
  }

  async #lookUntilFresh(): Promise<void> {
    do {
      this.#meanwhile = []
      try {
        await this.#look()
        this.#lookAgainAt = this.#isAnyoneInTrouble()
          ? this.#deps.clock.monotonic() + LOOK_AGAIN_MS
          : Number.POSITIVE_INFINITY
      } catch (error) {
        this.#lookAgainAt = this.#deps.clock.monotonic() + LOOK_AGAIN_MS
        this.#deps.log.error({ error: String(error), next: 'looked at again' }, 'endpoints.unwatched')
      }
    } while (this.#isNews(this.#meanwhile))
    // In the same turn of the event loop as the check, so that no outcome comes in between.
    this.#lookUnderWay = null
  }

  async #look(): Promise<void> {
    const letOthers = turnTaking(this.#deps.clock)
    const endpoints = await this.#currentFacts()
    const names = endpoints.map(({ subscription }) => subscription).filter((name) => !this.#emitted.has(name))
    for (let at = 0; at < names.length; at += MANY_SUBSCRIPTIONS) {
      await letOthers()
      await this.#recall(names.slice(at, at + MANY_SUBSCRIPTIONS))
    }
    for (const facts of endpoints) {
      await letOthers()
      const emitted = this.#emitted.get(facts.subscription) ?? null
      if (nextNotice(emitted, facts, this.#deps.clock.now()) !== null) await this.#ring(facts)
    }
  }

  async #recall(names: readonly string[]): Promise<void> {
    const known = await this.#deps.store.records(null, 'subscription', names)
    for (const name of names) this.#emitted.set(name, known.get(name)?.memory.endpoint ?? null)
  }

  async #currentFacts(): Promise<readonly EndpointFacts[]> {
    const { store, clock } = this.#deps
    const facts = await this.#enabledFacts()
    const hopeless = facts.filter(isGivenUp)
    for (const { subscription, failingSince, lastError } of hopeless) {
      if (failingSince === null) continue
      const reason = `nothing but failures since ${formatInstant(failingSince)}: ${lastError}`
      await store.disable(subscription, { reason, at: clock.now(), failingSince })
    }
    return hopeless.length === 0 ? facts : await this.#enabledFacts()
  }

  /** Nobody asks how an endpoint fares that the file disables. */
  async #enabledFacts(): Promise<readonly EndpointFacts[]> {
    return (await this.#deps.store.endpointFacts()).filter(({ enabled }) => enabled)
  }

  async #ring(facts: EndpointFacts): Promise<void> {
    const { ring, clock, log } = this.#deps
    let emitted: EndpointHealth | null = null
    const event = await ring(facts.subscription, (before) => {
      const notice = endpointNotice(before, facts, clock.now())
      emitted = (notice?.state ?? before)?.memory.endpoint ?? null
      return notice
    })
    this.#emitted.set(facts.subscription, emitted)
    if (event === null) return
    this.#rung += 1
    const level = event.type === 'endpoint.recovered' ? 'info' : 'warn'
    log[level]({ subscription: facts.subscription, event_id: event.id, ...event.extras }, event.type)
  }
}

const EVENT_OF = {
  ok: 'endpoint.recovered',
  failing: 'endpoint.failing',
  exhausted: 'endpoint.exhausted',
  disabled: 'endpoint.disabled',
} as const satisfies Record<EndpointState, string>

/** The event about an endpoint's new state; null where that state was reported. `before` is the subscription's own record. */
function endpointNotice(before: RecordState | null, facts: EndpointFacts, now: number): ServiceEvent | null {
  const emitted = before?.memory.endpoint ?? null
  const state = nextNotice(emitted, facts, now)
  if (state === null) return null
  return endpointEvent({
    subscription: facts.subscription,
    state: before,
    type: EVENT_OF[state],
    extras: extrasOf(state, facts, emitted),
    at: now,
    memory: { ...before?.memory, endpoint: healthOf(state, { facts, emitted, now }) },
  })
}

interface Learnt {
  readonly facts: EndpointFacts
  readonly emitted: EndpointHealth | null
  readonly now: number
}

function healthOf(state: EndpointState, { facts, emitted, now }: Learnt): EndpointHealth {
  const recoveredAt = emitted?.recoveredAt ?? null
  if (state === 'ok') return { state, downSince: null, recoveredAt: now }
  return { state, downSince: emitted?.downSince ?? facts.failingSince ?? facts.disabled?.at ?? now, recoveredAt }
}

function extrasOf(state: EndpointState, facts: EndpointFacts, emitted: EndpointHealth | null): JsonObject {
  const { lastError, failuresInARow, failingSince, exhaustedSince, disabled, held } = facts
  switch (state) {
    case 'failing':
      return { reason: lastError, failures: failuresInARow, since: instant(failingSince) }
    case 'exhausted':
      return { reason: lastError, failures: failuresInARow, since: instant(exhaustedSince) }
    case 'disabled':
      return { reason: disabled?.reason ?? null, held, since: instant(disabled?.at ?? null) }
    case 'ok':
      return { was: emitted?.state ?? null, down_since: instant(emitted?.downSince ?? null) }
    default:
      return state satisfies never
  }
}

function instant(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
