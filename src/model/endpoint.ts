/** `gone`: it answered 410. `failing`: days of nothing but failures. Both schemas check these values: for another one SQLite's table is made anew. */
export type DisabledBy = 'command' | 'gone' | 'failing'

/** How attempts at an endpoint went; tests say nothing about it. Instants are milliseconds since the Unix epoch. */
export interface EndpointFacts {
  readonly subscription: string
  /** Since the last success, or since a command enabled the endpoint. */
  readonly failuresInARow: number
  /** The first of them; null where there is none. */
  readonly failingSince: number | null
  /** Time in which attempts failed: the gaps between these failures, each up to the longest step of the retry schedule. */
  readonly failingForMs: number
  /** The last failure of all, also after a success. */
  readonly lastFailureAt: number | null
  /** Why the last attempt failed; null where it succeeded, or none was made. Being enabled does not clear it. */
  readonly lastError: string | null
  readonly lastSuccessAt: number | null
  /** When, among these failures, an event's last retry first failed. */
  readonly exhaustedSince: number | null
  readonly disabled: { readonly reason: string; readonly at: number; readonly by: DisabledBy } | null
  /** Events that wait for it to be enabled, or soon will. */
  readonly held: number
}

export type EndpointState = 'ok' | 'failing' | 'exhausted' | 'disabled'

/** The state of an endpoint that was reported last (guarantee E8, `endpoint.*`). Instants likewise. */
export interface EndpointHealth {
  readonly state: EndpointState
  /** When the reported trouble began; null in state `ok`. */
  readonly downSince: number | null
  /** When the endpoint's recovery was last reported; null: never. */
  readonly recoveredAt: number | null
}

/** How many failures in a row are trouble of the endpoint, and no longer of one event. */
export const FAILING_FROM = 4

/** The worst that can be said of an endpoint. That somebody disabled it by command is no trouble. */
export function endpointState({
  disabled,
  exhaustedSince,
  failuresInARow,
}: Pick<EndpointFacts, 'disabled' | 'exhaustedSince' | 'failuresInARow'>): EndpointState {
  if (disabled !== null && disabled.by !== 'command') return 'disabled'
  if (exhaustedSince !== null) return 'exhausted'
  return failuresInARow >= FAILING_FROM ? 'failing' : 'ok'
}
