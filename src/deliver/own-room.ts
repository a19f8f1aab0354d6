import type { Clock } from '../clock.ts'
import { ownDescriptors, type Descriptors } from '../http/own-limits.ts'
import type { Logger } from '../log.ts'
import type { LimitTrouble, OwnLimit } from '../model/own-limit.ts'
import type { Available } from './availability.ts'
import type { PickRequest } from './picker.ts'
import type { SubscriptionRuntime } from './subscription-runtime.ts'
import type { SubscriptionRuntimes } from './subscription-runtimes.ts'

/** How long the rows of other endpoints wait until everything is tried again. */
const PAUSE_MS = 1_000
/** What is done for so many of them at once takes milliseconds. */
export const MANY_SUBSCRIPTIONS = 500
/** Trouble that does not come back for so long is over. */
const OVER_MS = 60_000

export interface OwnRoomDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Default: the process's. */
  readonly descriptors?: Descriptors
  /** Told what sending lacks, and null once it lacks nothing any more. */
  readonly onLimit?: (limit: LimitTrouble | null) => void
}

/** How much this process may send at once by its own limits, whatever is configured; says in one line when they hold it up. */
export class OwnRoom {
  readonly #deps: OwnRoomDeps
  readonly #descriptors: Descriptors
  #trouble: OwnLimit | null = null
  #seenAt = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #turns = 0

  constructor(deps: OwnRoomDeps) {
    this.#deps = deps
    this.#descriptors = deps.descriptors ?? ownDescriptors()
  }

  /** How many attempts there may be at once; infinity: as many as are configured. */
  get most(): number {
    return this.#descriptors.mostSending
  }

  /** For how much longer nothing is sent at all. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#deps.clock.monotonic())
  }

  /** The number of the turn that comes: another one each time. */
  nextTurn(): number {
    this.#turns += 1
    return this.#turns
  }

  /** Something ran out. Ports are those to one address: others are sent to. */
  lacked(limit: OwnLimit): void {
    const now = this.#deps.clock.monotonic()
    if (limit !== 'ports') this.#pausedUntil = now + PAUSE_MS
    this.#see(limit, now)
  }

  /** Less is sent than is configured. */
  full(): void {
    this.#see('descriptors', this.#deps.clock.monotonic())
  }

  /** Call it now and then: trouble may be over. */
  look(): void {
    if (this.#trouble === null || this.#deps.clock.monotonic() - this.#seenAt < OVER_MS) return
    this.#deps.log.info({ limit: this.#trouble }, 'sending.resumed')
    this.#trouble = null
    this.#deps.onLimit?.(null)
  }

  #see(limit: OwnLimit, now: number): void {
    this.#seenAt = now
    if (this.#trouble === limit) return
    this.#trouble = limit
    const most = limit === 'descriptors' ? this.#descriptors.limit : null
    const at = most === null ? {} : { nofile: most, attempts_at_once: this.most }
    this.#deps.log.warn(
      { limit, ...at, next: 'sent as soon as there is room; no endpoint is charged' },
      'sending.paused',
    )
    this.#deps.onLimit?.({ limit, most })
  }
}

/** What is asked of the subscriptions that share the room. */
interface Sharers extends Pick<SubscriptionRuntimes, 'inFlight'> {
  get(name: string): Pick<SubscriptionRuntime, 'inFlight' | 'server' | 'trust'>
}

interface Sharing {
  readonly room: OwnRoom
  readonly runtimes: Sharers
}

type Places = PickRequest['available']

/**
 * What is picked one after the other, where this process can send less at once than is configured. Endpoints that took the last event
 * come first. Those that were not tried yet, and those that failed, are sent one event at a time and get three quarters of the room at
 * most, those that failed a half: whatever hangs, the others go on. `underWay`: attempts, asked each time.
 */
export function* withinRoom(
  pick: PickRequest,
  { room, runtimes }: Sharing,
  underWay: () => number,
): Generator<PickRequest> {
  const { most } = room
  const turn = room.nextTurn()
  if (most === Number.POSITIVE_INFINITY || underWay() + placesOf(pick.available) <= most) {
    yield* inParts(pick, turn, underWay)
    return
  }
  const byTrust = Map.groupBy(pick.available, ([name]) => runtimes.get(name).trust)
  const those = (trust: SubscriptionRuntime['trust']): Places => {
    const own = byTrust.get(trust) ?? []
    return inTurn(own, { runtimes, turn, mostOfEach: trust === 'proven' ? Math.ceil(most / 4) : 1 })
  }
  const others = (): number => runtimes.inFlight('unproven') + runtimes.inFlight('doubtful')
  const atMost = function* (available: Places, left: number): Generator<PickRequest> {
    if (left <= 0 || available.size === 0) return
    yield* inParts({ ...pick, available, most: Math.min(pick.most ?? left, left) }, turn, underWay)
  }
  yield* atMost(those('proven'), most - underWay())
  yield* atMost(those('unproven'), Math.min(most - underWay(), Math.floor((most * 3) / 4) - others()))
  const left = Math.min(Math.floor(most / 2) - runtimes.inFlight('doubtful'), Math.floor((most * 3) / 4) - others())
  yield* atMost(those('doubtful'), Math.min(most - underWay(), left))
  // Endpoints that are sent one event at a time would be sent more without the limit.
  if (underWay() >= most || others() >= most / 4) room.full()
}

interface Turns {
  readonly runtimes: Sharers
  readonly turn: number
  /** Attempts of a subscription at once. */
  readonly mostOfEach: number
}

/**
 * Looks at fewer subscriptions at once, one part after the other: a claim of thousands would hold up the event loop. Each `turn` begins
 * with another part, so that none goes short where others take a part of the room.
 */
function* inParts(pick: PickRequest, turn: number, underWay: () => number): Generator<PickRequest> {
  if (pick.available.size <= MANY_SUBSCRIPTIONS) {
    yield pick
    return
  }
  const own = [...pick.available]
  const first = (turn * MANY_SUBSCRIPTIONS) % own.length
  const all = [...own.slice(first), ...own.slice(0, first)]
  const most = (pick.most ?? Number.POSITIVE_INFINITY) + underWay()
  for (let at = 0; at < all.length && underWay() < most; at += MANY_SUBSCRIPTIONS) {
    const available = new Map(all.slice(at, at + MANY_SUBSCRIPTIONS))
    yield { ...pick, available, ...(pick.most !== undefined && { most: most - underWay() }) }
  }
}

/** One of each server in turn, so that none with many subscriptions keeps others waiting; another one is the first each time. */
function inTurn(own: readonly (readonly [string, Available])[], { runtimes, turn, mostOfEach }: Turns): Places {
  const groups = [...Map.groupBy(own, ([name]) => runtimes.get(name).server).values()].map((group) => {
    const first = turn % group.length
    return [...group.slice(first), ...group.slice(0, first)]
  })
  const places = new Map<string, Available>()
  for (let rank = 0; rank < Math.max(0, ...groups.map(({ length }) => length)); rank += 1)
    for (const group of groups) {
      const [name, available] = group[rank] ?? []
      if (name === undefined || available === undefined) continue
      const free = Math.min(available.places, mostOfEach - runtimes.get(name).inFlight)
      if (free > 0) places.set(name, { ...available, places: free })
    }
  return places
}

/** The places of all subscriptions together. */
function placesOf(available: Places): number {
  let sum = 0
  for (const { places } of available.values()) sum += places
  return sum
}
