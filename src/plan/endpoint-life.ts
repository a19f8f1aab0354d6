import { endpointState, type EndpointFacts, type EndpointHealth, type EndpointState } from '../model/endpoint.ts'

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
 * The state to tell people next, once per change; null where there is nothing to tell. `told` is what they were told last;
 * null: nothing yet. Until an endpoint has recovered only what is worse is news, or what comes of one that was disabled.
 */
export function nextNotice(emitted: EndpointHealth | null, facts: EndpointFacts, now: number): EndpointState | null {
  const state = endpointState(facts)
  const known = emitted?.state ?? 'ok'
  if (state === known) return null
  if (state === 'ok') return hasRecovered(emitted, facts, now) ? state : null
  return known === 'disabled' || STATES.indexOf(state) > STATES.indexOf(known) ? state : null
}

/** Only a success proves it, being enabled proves nothing. */
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

/** What was noted while the clock was ahead is over: nobody waits until the clock shows that instant again. */
function isOver(since: number, ms: number, now: number): boolean {
  return now < since || now - since >= ms
}
