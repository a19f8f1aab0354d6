import { type DisabledBy, FAILING_FROM } from '../model/endpoint.ts'

/** What an endpoint is set to, as its row has it: 0 and 1 stand for no and yes. */
export interface EndpointSwitches {
  /** Whether the file names its subscription. */
  readonly configured: number
  /** Whether the file has it enabled. */
  readonly enabled: number
  readonly disabled_at: number | null
}

/** How an endpoint fares, as its row has it. Instants are of the wall clock unless they say otherwise. */
export interface EndpointRecord {
  /** Since the last success, or since a command enabled the endpoint. */
  readonly failures_in_row: number
  /** When the first of these failures began. */
  readonly failing_since: number | null
  /** For how many milliseconds attempts failed: the gaps between these failures, each up to the longest step of the schedule. */
  readonly failing_for: number
  /** When the last of these failures began, in steady time. */
  readonly failed_at: number | null
  /** When, among these failures, an event's last retry first failed. */
  readonly exhausted_since: number | null
  readonly last_failure_at: number | null
  readonly last_success_at: number | null
  readonly last_error: string | null
  /** 1: it has answered after it had failed, and what waits for its schedule is brought forward. */
  readonly recovering: number
}

/** Rows of an endpoint may be pending: it is configured, enabled in the file, and nothing disabled it. */
export function isOpen({ configured, disabled_at: disabledAt, enabled }: EndpointSwitches): boolean {
  return configured === 1 && enabled === 1 && disabledAt === null
}

/** What may be sent to an endpoint now: `shut`, nothing but tests; `recovering`, also what waits for its schedule. */
export type Gate = 'open' | 'recovering' | 'shut'

/** The gate of an endpoint, whatever the states of its rows. While turns are given out (`queued_to`) it counts as shut. */
export function gateOf(
  endpoint: EndpointSwitches & Pick<EndpointRecord, 'recovering'> & { readonly queued_to: number | null },
): Gate {
  if (!isOpen(endpoint) || endpoint.queued_to !== null) return 'shut'
  return endpoint.recovering === 1 ? 'recovering' : 'open'
}

/** An endpoint that has just answered, to an attempt that began at `at`. One that had failed recovers from now on. */
export function succeeded<Endpoint extends EndpointRecord>(endpoint: Endpoint, at: number): Endpoint {
  return {
    ...endpoint,
    failures_in_row: 0,
    failing_since: null,
    failing_for: 0,
    exhausted_since: null,
    last_error: null,
    last_success_at: at,
    recovering: endpoint.failures_in_row >= FAILING_FROM ? 1 : endpoint.recovering,
  }
}

/** Whether an endpoint has no trouble on record: one more success is one more instant, `last_success_at`. */
export function isSteady(endpoint: EndpointRecord): boolean {
  const { exhausted_since: exhaustedSince, failing_for: failingFor, failing_since: failingSince } = endpoint
  const isFailing = endpoint.failures_in_row > 0 || failingSince !== null || failingFor > 0
  return !isFailing && exhaustedSince === null && endpoint.last_error === null
}

export interface Failure {
  /** When the attempt began. */
  readonly at: number
  /** When it began in steady time. */
  readonly steadyAt: number
  readonly error: string | null
  /** Since the failure before it at most so many milliseconds count as time in which attempts failed. */
  readonly longestGapMs: number
}

/** An endpoint at which one more attempt failed. Attempts under way at once may end in another order than they began. */
export function failed<Endpoint extends EndpointRecord>(endpoint: Endpoint, failure: Failure): Endpoint {
  const { at, error, longestGapMs, steadyAt } = failure
  const failures = endpoint.failures_in_row + 1
  const isFirst = endpoint.failing_since === null
  const before = endpoint.failed_at ?? steadyAt
  const gap = isFirst ? 0 : Math.max(0, Math.min(steadyAt - before, longestGapMs))
  return {
    ...endpoint,
    failures_in_row: failures,
    failing_since: Math.min(endpoint.failing_since ?? at, at),
    failing_for: endpoint.failing_for + gap,
    failed_at: isFirst ? steadyAt : Math.max(before, steadyAt),
    last_failure_at: Math.max(endpoint.last_failure_at ?? at, at),
    last_error: error ?? '',
    recovering: failures >= FAILING_FROM ? 0 : endpoint.recovering,
  }
}

/** An endpoint at which the last retry of an event failed: the first of these stays. */
export function exhausted<Endpoint extends EndpointRecord>(endpoint: Endpoint, at: number | null): Endpoint {
  return { ...endpoint, exhausted_since: endpoint.exhausted_since ?? at }
}

/** Why and when an endpoint was disabled, as its row has it; all null: nothing disabled it. */
export interface EndpointDisabling {
  readonly disabled_reason: string | null
  readonly disabled_at: number | null
  readonly disabled_by: DisabledBy | null
}

/** Why, when and by whom an endpoint is to be disabled. */
export interface Disabling {
  readonly reason: string
  readonly at: number
  readonly by: DisabledBy
}

/** An endpoint that is disabled; the first reason stays. */
export function disabled<Endpoint extends EndpointDisabling>(
  endpoint: Endpoint,
  { at, by, reason }: Disabling,
): Endpoint {
  if (endpoint.disabled_at !== null) return endpoint
  return { ...endpoint, disabled_reason: reason, disabled_at: at, disabled_by: by }
}

/**
 * An endpoint that a command enabled. Where it was not disabled after all, no row was held: what waits for its schedule is brought
 * forward.
 */
export function enabledAnew<Endpoint extends EndpointDisabling & EndpointRecord>(endpoint: Endpoint): Endpoint {
  const wasTried = endpoint.disabled_at === null
  const mayRecover = endpoint.recovering === 1 || endpoint.failures_in_row >= FAILING_FROM
  return {
    ...endpoint,
    disabled_reason: null,
    disabled_at: null,
    disabled_by: null,
    failures_in_row: 0,
    failing_since: null,
    failing_for: 0,
    exhausted_since: null,
    recovering: wasTried && mayRecover ? 1 : 0,
  }
}
