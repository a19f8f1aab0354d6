import type { DeliveryState } from '../model/delivery.ts'
import { type EndpointSwitches, isOpen } from './endpoint-state.ts'

/**
 * Turns in lanes, of endpoints whose events go in their order: `turn` is null for a row without a place in its lane, 1 for the one that
 * has the turn, and 0 for those that wait for it. A claim takes no row that waits for its turn, so it never looks through a backlog.
 */
export type Turn = 0 | 1 | null

/** A row keeps its place for as long as it is open, or under way: one that was discarded meanwhile keeps its lane waiting. */
export function keepsPlace({
  state,
  isClaimed,
}: {
  readonly state: DeliveryState
  readonly isClaimed: boolean
}): boolean {
  return state === 'pending' || state === 'held' || isClaimed
}

/** The turn of a row that is made, or opened again: where events go in their order it lines up. */
export function turnOfNew(ordered: number): Turn {
  return ordered === 1 ? 0 : null
}

/** The row of a lane that has the turn: the one under way, or else the oldest. `rows`: those with a place in it. */
export function firstInLane<Row extends { readonly event: number; readonly isClaimed: boolean }>(
  rows: readonly Row[],
): Row | undefined {
  return rows.toSorted((one, other) => Number(other.isClaimed) - Number(one.isClaimed) || one.event - other.event)[0]
}

/** What one transaction moves: so many rows whose move costs 1. A few milliseconds. */
const SLICE = 500
/** The cost of a move that passes on the turn of a lane. */
const TURN = 5

/** An endpoint whose rows are to follow it. The places are `ref`s of events. */
export interface FollowedEndpoint extends EndpointSwitches {
  readonly subscription: string
  /** 1: events of one lane go in their order. */
  readonly ordered: number
  /** What is held of events up to here is discarded; null: nothing is. */
  readonly discards_to: number | null
  /** Open rows of events behind this one get turns yet; null: all have theirs. */
  readonly queued_to: number | null
  /** Rows of events behind this one that were put off without an attempt are due again; null: none is. */
  readonly reconsidered_to: number | null
  /** 0: it has no row that is held. */
  readonly has_held: number
  /** 0: it has no row that is pending. */
  readonly has_pending: number
  /** 0: none of its rows has a place in a lane. */
  readonly has_turns: number
}

export type MoveKind = 'discard' | 'hold' | 'release' | 'give turns' | 'take turns' | 'reconsider'

/** Rows of one endpoint that are moved, oldest event first: at most `most`, and fewer only where no more are left. */
export interface Move {
  readonly kind: MoveKind
  readonly endpoint: FollowedEndpoint
  readonly most: number
}

/** How many rows a move took, and the event of the last one. Where turns are given or rows reconsidered, it counts those looked at. */
export interface Moved {
  readonly amount: number
  readonly last: number | null
}

/** How the columns of a row are set; `now`: when it is moved; `rang`: when its event rang. */
type Setting = string | number | null | { readonly is: 'now' | 'rang' }
const RANG = { is: 'rang' } as const

/**
 * What a move makes of a row. Nobody asked by itself for a row that is released: it is as due as when its event rang, and waits for a
 * digest's hour or the end of quiet hours like any other. A row that was put off without an attempt was put off by the channel of
 * then: the channel of today decides anew.
 */
export const MOVES: Readonly<Record<MoveKind, Readonly<Record<string, Setting>> & { readonly state?: DeliveryState }>> =
  {
    discard: { state: 'discarded', finished_at: { is: 'now' } },
    hold: { state: 'held', next_attempt_at: null },
    release: { state: 'pending', round: 0, not_before: null, resumes_at: null, next_attempt_at: RANG, wake_at: null },
    'give turns': { turn: 0 },
    'take turns': { turn: null },
    reconsider: { next_attempt_at: RANG, wake_at: null },
  }

type Places = Pick<FollowedEndpoint, 'discards_to' | 'queued_to' | 'reconsidered_to'>

/** One way in which rows follow their endpoint. */
interface Step {
  /** How the rows of the endpoint move; null: there is nothing to move. */
  readonly kindFor: (endpoint: FollowedEndpoint) => MoveKind | null
  /** The cost of a row whose endpoint has turns, and of one whose endpoint has none. */
  readonly cost: readonly [ordered: number, other: number]
  readonly place: keyof Places | null
}

const STEPS: readonly Step[] = [
  {
    kindFor: ({ discards_to: to, has_held: held }) => (to !== null && held === 1 ? 'discard' : null),
    cost: [TURN, 1],
    place: 'discards_to',
  },
  { kindFor: holdOrRelease, cost: [1, 1], place: null },
  { kindFor: ({ queued_to: to }) => (to === null ? null : 'give turns'), cost: [TURN, TURN], place: 'queued_to' },
  {
    kindFor: ({ has_turns: turns, ordered }) => (ordered === 0 && turns === 1 ? 'take turns' : null),
    cost: [TURN, TURN],
    place: null,
  },
  {
    kindFor: ({ has_pending: pending, reconsidered_to: to }) => (to !== null && pending === 1 ? 'reconsider' : null),
    cost: [1, 1],
    place: 'reconsidered_to',
  },
]

/** A test's row is pending wherever there is an address to send it to: an endpoint is tried before it is enabled again. */
function holdOrRelease(endpoint: FollowedEndpoint): MoveKind | null {
  if (isOpen(endpoint)) return endpoint.has_held === 1 ? 'release' : null
  return endpoint.has_pending === 1 ? 'hold' : null
}

/** What became of an endpoint within a slice; `unsettled`: 0 once none of its rows is left to move. */
export interface FollowedTo extends Places {
  readonly subscription: string
  readonly unsettled: number
}

interface Slice {
  readonly endpoints: readonly FollowedTo[]
  /** Whether no row of any of them is left to move. */
  readonly isDone: boolean
}

/**
 * Moves rows to the state that their endpoints ask for, slice by slice: a store makes each move that this asks for, and says how many
 * rows it took.
 *
 * Whether anything is sent is decided by the endpoint's row alone, within the claim (`gateOf`). The states of its deliveries
 * follow: one transaction over a backlog would keep every loop and every process waiting. An endpoint is `unsettled` from the
 * transaction that changes it until a slice finds nothing to move. What is left to do can be read from the rows themselves (a `held`
 * row of an open endpoint, a `pending` row of another) or from a place in the order of events (`discards_to`, `queued_to`,
 * `reconsidered_to`). So whoever comes next goes on: the command that asked (`operate/change-endpoint.ts`), the daemon
 * (`deliver/row-settling.ts`), or the next process after a crash. The first slice is in the transaction of the change itself, so a
 * small backlog is never seen halfway. While turns are given out, the endpoint counts as shut: a lane is right only once all of it is
 * in line.
 */
export function* follow(unsettled: readonly FollowedEndpoint[]): Generator<Move, Slice, Moved> {
  const endpoints: FollowedTo[] = []
  let left = SLICE
  for (const endpoint of unsettled) {
    const { discards_to, queued_to, reconsidered_to, subscription } = endpoint
    let places: Places = { discards_to, queued_to, reconsidered_to }
    for (const { cost, kindFor, place } of STEPS) {
      const each = cost[endpoint.ordered === 1 ? 0 : 1]
      const most = Math.ceil(left / each)
      const kind = kindFor(endpoint)
      const moved = kind === null ? { amount: 0, last: null } : yield { kind, endpoint, most }
      if (place !== null) places = { ...places, [place]: moved.amount < most ? null : (moved.last ?? places[place]) }
      left -= each * moved.amount
      if (left > 0) continue
      return { endpoints: [...endpoints, { ...places, subscription, unsettled: 1 }], isDone: false }
    }
    endpoints.push({ ...places, subscription, unsettled: 0 })
  }
  return { endpoints, isDone: true }
}
