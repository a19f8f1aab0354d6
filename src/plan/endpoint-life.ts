import { endpointState, type EndpointFacts, type EndpointHealth, type EndpointState } from '../model/endpoint.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const GIVEN_UP_AFTER_MS = 5 * DAY_MS
/** An endpoint that recovered and failed again within a day flaps: it recovers anew after so long without a failure. */
const FLAPS_WITHIN_MS = DAY_MS
const QUIET_MS = HOUR_MS

/**
 * Whether an endpoint is to be disabled: it failed for 5 days and nothing else (contract section 6). Only a failure says so,
 * never time that passed without an attempt, so its first and last failure are more than the 12 hours of a bad night apart.
 */
export function isGivenUp({ disabled, failingSince, lastFailureAt }: EndpointFacts): boolean {
  if (disabled !== null || failingSince === null || lastFailureAt === null) return false
  return lastFailureAt - failingSince >= GIVEN_UP_AFTER_MS
}

/** From good to bad. */
const STATES: readonly EndpointState[] = ['ok', 'failing', 'exhausted', 'disabled']

/**
 * The state to tell people next, once per change; null where there is nothing to tell. `told` is what they were told last;
 * null: nothing yet. Until an endpoint has recovered only what is worse is news, or what comes of one that was disabled.
 */
export function nextNotice(told: EndpointHealth | null, facts: EndpointFacts, now: number): EndpointState | null {
  const state = endpointState(facts)
  const known = told?.state ?? 'ok'
  if (state === known) return null
  if (state === 'ok') return hasRecovered(told, facts, now) ? state : null
  return known === 'disabled' || STATES.indexOf(state) > STATES.indexOf(known) ? state : null
}

/** Only a success proves it, being enabled proves nothing. */
function hasRecovered(told: EndpointHealth | null, { lastError, lastFailureAt }: EndpointFacts, now: number): boolean {
  if (lastError !== null) return false
  const recoveredAt = told?.recoveredAt ?? null
  if (recoveredAt === null || now - recoveredAt >= FLAPS_WITHIN_MS) return true
  return lastFailureAt === null || now - lastFailureAt >= QUIET_MS
}
