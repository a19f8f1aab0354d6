/**
 * What a failure weighs as evidence against its endpoint. A row that failed before may be refused for what it is, and comes
 * again and again: it says little about the others.
 */
const WEIGHT = { first: 10, retry: 1, forwarded: 1 } as const satisfies Record<TryKind, number>
/** Nine first attempts, or ninety others, in a row. */
const OPENS_AT = 90
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
  /** null: closed, as many attempts run at once as are configured. Else the endpoint is probed. */
  readonly open: OpenCircuit | null
  /** How many rows that were brought forward may be tried at once. */
  readonly pace: number
}

export interface OpenCircuit {
  /** Probes that failed. */
  readonly probes: number
  /** When the last of them ended, or what opened the circuit. Never goes back. */
  readonly failedAt: number
}

export const CLOSED: Circuit = { evidence: 0, open: null, pace: 1 }

export interface EndedTry {
  readonly kind: TryKind
  /** It began while the circuit was open. What was under way already says nothing new. */
  readonly isProbe: boolean
  readonly delivered: boolean
  readonly endedAt: number
  /** How many attempts are configured to run at once. */
  readonly concurrency: number
}

/**
 * What an attempt's end makes of a circuit. Failures in a row open it; a success closes it at once, since whoever takes one
 * event may take the others. What is brought forward comes one at a time, each success adds one and each failure takes one:
 * attempts at once double from round to round.
 */
export function afterTry(circuit: Circuit, ended: EndedTry): Circuit {
  return ended.delivered ? afterSuccess(circuit, ended) : afterFailure(circuit, ended)
}

function afterSuccess({ pace }: Circuit, { kind, concurrency }: EndedTry): Circuit {
  return { ...CLOSED, pace: kind === 'forwarded' ? Math.min(pace + 1, concurrency) : pace }
}

function afterFailure({ evidence, open, pace }: Circuit, { kind, isProbe, endedAt }: EndedTry): Circuit {
  if (open !== null) {
    return isProbe ? { evidence, open: { probes: open.probes + 1, failedAt: endedAt }, pace } : { evidence, open, pace }
  }
  const weight = evidence + WEIGHT[kind]
  if (weight >= OPENS_AT) return opened(weight, endedAt)
  return { evidence: weight, open, pace: kind === 'forwarded' ? Math.max(1, pace - 1) : pace }
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
