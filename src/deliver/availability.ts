import { placesOf, probed, probesAt, probesNewest, type Circuit } from '../plan/circuit.ts'
import type { ClaimAmong } from '../store/ports/delivery-port.ts'

/** Tests and what a command asks for wait no longer than this behind a channel that gathers. */
const LONGEST_UNSEEN_MS = 15_000

/** A channel that gathers has nothing to send before `until`. This only saves looks: the channel is asked again at `lookAt`. */
export interface BatchDelay {
  readonly until: number
  readonly lookAt: number
}

/** What decides how much of a subscription may be sent now. */
export interface SendingState {
  /** Attempts that may run at once. */
  readonly concurrency: number
  /** Batches in hand: claimed and not yet settled. */
  readonly inFlight: number
  /** Attempts under way of rows that were brought forward. */
  readonly forwarded: number
  readonly rate: Rate | null
  readonly delay: BatchDelay | null
  readonly circuit: Circuit
  /** How many rows wait, as of a short while ago. */
  readonly pending: number
}

export interface Rate {
  room(now: number): number
  readyAt(now: number): number
}

/** What may go now of a subscription, and when there may be more. */
export interface Available {
  /** How many batches may be started. */
  readonly places: number
  /** The rows that are claimed where they are not the oldest; left out: the oldest. */
  readonly among?: ClaimAmong
  /** How many rows may be brought forward. */
  readonly forward: number
  /** What some rows of the subscription wait for, beside the end of an attempt; left out: nothing. */
  readonly waits?: {
    readonly for: 'rate' | 'gathering' | 'probe' | 'limit'
    readonly until: number
    /** When there is reason to look. */
    readonly lookAt: number
  }
}

const NOTHING: Available = { places: 0, forward: 0 }

/** `forced`: what a command asks for, which waits for neither a channel that gathers nor a probe. */
export function availability(state: SendingState, now: number, forced: boolean): Available {
  const free = state.concurrency - state.inFlight
  if (free <= 0) return NOTHING
  const { delay, rate } = state
  if (!forced && delay !== null && delay.lookAt > now) return { ...NOTHING, waits: { for: 'gathering', ...delay } }
  const room = rate?.room(now) ?? Number.POSITIVE_INFINITY
  if (room <= 0) return { ...NOTHING, waits: { for: 'rate', ...exactly(rate?.readyAt(now) ?? now) } }
  const tried = forced ? { places: free, forward: 0 } : tries(state, free, now)
  return { ...tried, places: Math.min(tried.places, room) }
}

/** How freely the endpoint is tried. Tests are sent at any time. */
function tries(state: SendingState, free: number, now: number): Available {
  const { circuit, inFlight, forwarded, pending } = state
  const forward = circuit.pace - forwarded
  const open = probed(circuit, pending)
  if (open === null) {
    const places = Math.min(free, (placesOf(circuit, pending) ?? state.concurrency) - inFlight)
    return places > 0 ? { places, forward } : { places: free, among: 'tests', forward }
  }
  const at = probesAt(open)
  if (at > now) return { places: free, among: 'tests', forward, waits: { for: 'probe', ...exactly(at) } }
  if (inFlight > 0) return { places: free, among: 'tests', forward }
  return probesNewest(open) ? { places: 1, among: 'newest', forward } : { places: 1, forward }
}

function exactly(at: number): Pick<BatchDelay, 'until' | 'lookAt'> {
  return { until: at, lookAt: at }
}

/** The delay of a channel that has nothing to send before `until`; null: it may have something now. */
export function delayUntil(until: number | null, now: number): BatchDelay | null {
  return until === null ? null : { until, lookAt: Math.min(until, now + LONGEST_UNSEEN_MS) }
}

/** Ends a delay at `at` at the latest: an attempt is to be repeated then. */
export function notAfter(delay: BatchDelay | null, at: number): BatchDelay | null {
  if (delay === null || at >= delay.until) return delay
  return { until: at, lookAt: Math.min(at, delay.lookAt) }
}
