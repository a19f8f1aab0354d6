import { endpointState, type EndpointFacts, type EndpointHealth, type EndpointState } from '../model/endpoint.ts'

/**
 * What a failure weighs as evidence against its endpoint. A row that failed before may be refused for what it is, and comes
 * again and again: it says little about the others.
 */
const WEIGHT = { first: 10, retry: 1, forwarded: 1 } as const satisfies Record<TryKind, number>
/** Nine first attempts, or ninety others, in a row. */
const OPENS_AT = 90
/** Four of any kind: an endpoint that was down has just come back, and may bear less than it is sent. */
const OPENS_AGAIN_AT = 40
/** A backlog of at most this many rows is never probed: its rows are tried by their schedule. */
const FEW = 100
const PROBE_FIRST_MS = 1_000
const PROBE_MOST_MS = 30_000

/** The first attempt of a row, a later one by its schedule, or one that was brought forward. */
export type TryKind = 'first' | 'retry' | 'forwarded'

/** How freely an endpoint is tried, by how its last attempts went. */
export interface Circuit {
  /** What the failures since the last success weigh. */
  readonly evidence: number
  /** How the endpoint is probed; null: the circuit is closed, and as many attempts run at once as are configured. */
  readonly open: OpenCircuit | null
  /** How many attempts may run at once, of an endpoint that was probed until a short while ago; null: all that are configured. */
  readonly places: number | null
  /** How many rows that were brought forward may be tried at once. */
  readonly pace: number
}

export interface OpenCircuit {
  /** Probes that failed. */
  readonly probes: number
  /** When the last probe ended, or what opened the circuit. Never goes back. */
  readonly failedAt: number
}

export const CLOSED: Circuit = { evidence: 0, open: null, places: null, pace: 1 }

export interface EndedTry {
  readonly kind: TryKind
  /** Whether the attempt began while the circuit was open. What was under way already says nothing new. */
  readonly isProbe: boolean
  readonly delivered: boolean
  readonly endedAt: number
  /** How many attempts are configured to run at once. */
  readonly concurrency: number
}

/**
 * What an attempt's end makes of a circuit. Failures in a row open it; a success closes it, since whoever takes one event may
 * take the others. From then on attempts start slowly: each success adds a place and each failure of a first attempt takes one, so
 * that attempts at once double from round to round, and an endpoint that bears only some is not sent all.
 * What is brought forward has a pace of its own, which goes up and down likewise.
 */
export function afterTry(circuit: Circuit, ended: EndedTry): Circuit {
  return ended.delivered ? afterSuccess(circuit, ended) : afterFailure(circuit, ended)
}

function afterSuccess({ open, places, pace }: Circuit, { kind, concurrency }: EndedTry): Circuit {
  const more = open !== null ? 1 : places === null ? concurrency : places + 1
  return {
    ...CLOSED,
    places: more >= concurrency ? null : more,
    pace: kind === 'forwarded' ? Math.min(pace + 1, concurrency) : pace,
  }
}

function afterFailure(circuit: Circuit, { kind, isProbe, endedAt }: EndedTry): Circuit {
  const { open, places } = circuit
  if (open !== null) return isProbe ? { ...circuit, open: { probes: open.probes + 1, failedAt: endedAt } } : circuit
  const isSlow = places !== null
  const evidence = circuit.evidence + (isSlow ? WEIGHT.first : WEIGHT[kind])
  if (evidence >= (isSlow ? OPENS_AGAIN_AT : OPENS_AT)) return opened(evidence, endedAt)
  return {
    evidence,
    open,
    places: isSlow && kind === 'first' ? Math.max(1, places - 1) : places,
    pace: kind === 'forwarded' ? Math.max(1, circuit.pace - 1) : circuit.pace,
  }
}

function opened(evidence: number, failedAt: number): Circuit {
  return { ...CLOSED, evidence, open: { probes: 0, failedAt } }
}

/** The circuit of an endpoint that another process tried: where that was probed, it is probed at once. */
export function recalled(failuresInARow: number): Circuit {
  const evidence = failuresInARow * WEIGHT.first
  return evidence > OPENS_AT ? opened(evidence, 0) : { ...CLOSED, evidence }
}

/** The open circuit of an endpoint with so many pending rows, which is probed one at a time, from `probesAt` on; null: it is not. */
export function probed({ open }: Circuit, pending: number): OpenCircuit | null {
  return pending > FEW ? open : null
}

/** How many attempts may run at once of an endpoint with so many pending rows; null: all that are configured. */
export function placesOf({ places }: Circuit, pending: number): number | null {
  return pending > FEW ? places : null
}

/** The first probe is at once. Then it waits twice as long after each that failed, at most half a minute. */
export function probesAt({ probes, failedAt }: OpenCircuit): number {
  return probes === 0 ? failedAt : failedAt + Math.min(PROBE_FIRST_MS * 2 ** (probes - 1), PROBE_MOST_MS)
}

/**
 * Probes take the newest row first: it was not among those that failed, and says whether they are refused for what they are.
 * From then on newest and oldest in turn, as that one may be refused for what it is, too.
 */
export function probesNewest({ probes }: OpenCircuit): boolean {
  return probes === 0 || probes % 2 === 1
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const GIVEN_UP_AFTER_MS = 5 * DAY_MS
const FEWEST_FAILURES = 10
/** An endpoint that recovered and failed again within a day flaps: it recovers anew after so long without a failure. */
const FLAPS_WITHIN_MS = DAY_MS
const QUIET_MS = HOUR_MS

/**
 * Whether an endpoint is to be disabled: nothing but failures, ten at least, for five days of time in which it was tried. How far
 * two failures are apart says little where nothing was tried in between.
 */
export function isGivenUp({ disabled, failuresInARow, failingForMs }: EndpointFacts): boolean {
  return disabled === null && failuresInARow >= FEWEST_FAILURES && failingForMs >= GIVEN_UP_AFTER_MS
}

/** From good to bad. */
const STATES: readonly EndpointState[] = ['ok', 'failing', 'exhausted', 'disabled']

/**
 * The state to report next, once per change; null: nothing to report. `emitted` is the state reported last; null: none yet. Before
 * an endpoint has recovered, only a worse state is reported, or a new failure after a disabled one was enabled again.
 */
export function nextNotice(emitted: EndpointHealth | null, facts: EndpointFacts, now: number): EndpointState | null {
  const state = endpointState(facts)
  const known = emitted?.state ?? 'ok'
  if (state === known) return null
  if (state === 'ok') return hasRecovered(emitted, facts, now) ? state : null
  return known === 'disabled' || STATES.indexOf(state) > STATES.indexOf(known) ? state : null
}

/** Only a success proves a recovery. Enabling an endpoint proves nothing. */
function hasRecovered(
  emitted: EndpointHealth | null,
  { lastError, lastFailureAt }: EndpointFacts,
  now: number,
): boolean {
  if (lastError !== null) return false
  const recoveredAt = emitted?.recoveredAt ?? null
  if (recoveredAt === null || isOver(recoveredAt, FLAPS_WITHIN_MS, now)) return true
  return lastFailureAt === null || isOver(lastFailureAt, QUIET_MS, now)
}

/** An instant in the future was noted while the clock was ahead. It counts as over, so that nothing waits for it again. */
function isOver(since: number, ms: number, now: number): boolean {
  return now < since || now - since >= ms
}
