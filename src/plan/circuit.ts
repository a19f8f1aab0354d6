import { FAILING_FROM } from '../model/endpoint.ts'

/** So many failures in a row, and an endpoint is probed. */
const PROBED_FROM = 10
/** So few rows are tried as their schedule says, whatever happens: they are no storm. */
const FEW = 100
const PROBE_FIRST_MS = 1_000
const PROBE_MOST_MS = 30_000

/** How freely an endpoint is tried, by how its last attempts went. Instants are milliseconds since the Unix epoch. */
export interface Circuit {
  /** In a row. */
  readonly failures: number
  /** How many attempts may run at once; null: as many as are configured. 0: it is probed. */
  readonly places: number | null
  /** Probes that failed since the last success. */
  readonly probes: number
  /** When the last probe that failed had ended, or what put it to the probe. */
  readonly failedAt: number
}

export const CLOSED: Circuit = { failures: 0, places: null, probes: 0, failedAt: 0 }

export interface EndedTry {
  readonly delivered: boolean
  readonly startedAt: number
  readonly endedAt: number
  /** How many attempts are configured to run at once. */
  readonly concurrency: number
}

/**
 * What an attempt's end makes of a circuit. After so many failures in a row the endpoint is probed. From the first success
 * after a row of failures each success adds a place and each failure takes one but the last: attempts at once double from
 * round to round until all places are back, and a row of failures meanwhile puts it to the probe again.
 */
export function afterTry(circuit: Circuit, ended: EndedTry): Circuit {
  return ended.delivered ? afterSuccess(circuit, ended) : afterFailure(circuit, ended)
}

function afterSuccess({ failures, places }: Circuit, { concurrency }: EndedTry): Circuit {
  if (places === null) return failures >= FAILING_FROM ? withPlaces(1, concurrency) : CLOSED
  return withPlaces(places + 1, concurrency)
}

function withPlaces(places: number, concurrency: number): Circuit {
  return places >= concurrency ? CLOSED : { ...CLOSED, places }
}

function afterFailure(circuit: Circuit, { startedAt, endedAt }: EndedTry): Circuit {
  const { places, probes, failedAt } = circuit
  const failures = circuit.failures + 1
  if (places === null) {
    return failures >= PROBED_FROM ? { failures, places: 0, probes: 0, failedAt: endedAt } : { ...circuit, failures }
  }
  if (places > 0) {
    const left = failures >= FAILING_FROM ? 0 : Math.max(1, places - 1)
    return { failures, places: left, probes: 0, failedAt: endedAt }
  }
  // What was under way already says nothing new.
  return startedAt <= failedAt ? { ...circuit, failures } : { failures, places, probes: probes + 1, failedAt: endedAt }
}

/** The circuit of an endpoint that another process tried: where that is to be probed, then at once. */
export function recalled(facts: { readonly failuresInARow: number; readonly recovering: boolean }): Circuit {
  const failures = facts.failuresInARow
  if (failures >= PROBED_FROM) return { failures, places: 0, probes: failures - PROBED_FROM, failedAt: 0 }
  return { ...CLOSED, failures, places: facts.recovering ? 1 : null }
}

/** Whether an endpoint with so many pending rows is probed: one at a time, from `probesAt` on. */
export function isProbed({ places }: Circuit, pending: number): boolean {
  return places === 0 && pending > FEW
}

/** Twice as long after each probe that failed, at most half a minute. */
export function probesAt({ probes, failedAt }: Circuit): number {
  return failedAt + probeWaitMs(probes)
}

/** The longest that `probesAt` lies ahead: a clock that was set back says no more than that. */
export function probeWaitMs(probes: number): number {
  return Math.min(PROBE_FIRST_MS * 2 ** probes, PROBE_MOST_MS)
}

/** Probes take the oldest row and the newest in turn: events that are refused for what they are do not stand for the others. */
export function probesNewest({ probes }: Circuit): boolean {
  return probes % 2 === 1
}
