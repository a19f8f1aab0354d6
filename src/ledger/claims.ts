import type { Gate } from './endpoint-state.ts'

/** What all workers together keep to, of one endpoint. */
export interface SharedLimit {
  /** Attempts at once. */
  readonly concurrency: number
  readonly rate: { readonly requests: number; readonly perMs: number } | null
  /** The number of attempts that a channel which gathers sends the rows in; left out: each row is an attempt. */
  readonly attempts?: number
}

/** What a claim sees of an endpoint that it holds. */
interface ClaimSight {
  /** Claims of anybody that have not run out. */
  readonly claimed: number
  /** Claims of others than the claimer, of those. */
  readonly others: number
  /** Attempts that ended within the window of its rate. */
  readonly paced: number
  /** Whether others gather what waits. */
  readonly isGatheredByOthers: boolean
}

/** How many rows a claim may take of an endpoint, of `wanted`. Batches are taken whole or not at all. */
export function roomFor(
  wanted: number,
  limit: SharedLimit | null,
  { claimed, isGatheredByOthers, others, paced, isForced }: ClaimSight & { readonly isForced: boolean },
): number {
  if (limit === null) return wanted
  const { attempts, concurrency, rate } = limit
  const places = rate === null ? concurrency : Math.min(concurrency, rate.requests - paced)
  if (attempts === undefined) return Math.min(wanted, places - claimed)
  if (!isForced && (others > 0 || isGatheredByOthers)) return 0
  // The claimer knows how many attempts its own rows are, and has asked for no more.
  return attempts > places - others ? 0 : wanted
}

/** Rows that come due at one instant are woken claim by claim, where no more are asked for. */
export const WOKEN_AT_ONCE = 1_000

/** Which rows a claim takes, of those that are due. */
export type Sought = 'chosen' | 'chosen tests' | 'tests' | 'newest' | 'oldest'

/** A claim takes the oldest rows, unless somebody asks otherwise; of an endpoint that is shut tests alone. */
export function soughtBy(
  gate: Gate,
  { among, hasChosen }: { readonly among: 'tests' | 'newest' | undefined; readonly hasChosen: boolean },
): Sought {
  const isForTests = gate === 'shut' || among === 'tests'
  if (hasChosen) return isForTests ? 'chosen tests' : 'chosen'
  if (isForTests) return 'tests'
  return among === 'newest' ? 'newest' : 'oldest'
}

/** For so long nobody else is shown what a gatherer was shown last. */
const GATHERS_MS = 60_000
/** A gatherer's time is made longer once so little of it is left, and not each time. */
const LENGTHENED_AT_MS = 30_000

/** Who puts what waits into messages: two workers would make two of one. */
export interface Gathering {
  readonly gatherer: string | null
  readonly gathers_until: number | null
}

export function isGatheredByOthers({ gatherer, gathers_until: until }: Gathering, owner: string, now: number): boolean {
  return gatherer !== null && gatherer !== owner && until !== null && until > now
}

/** Who gathers once `looker` was shown rows, or none. null: as before. One that has nothing to gather lets go. */
export function gatheringOf(
  { gatherer, gathers_until: until }: Gathering,
  { looker, now, hasRows }: { readonly looker: string; readonly now: number; readonly hasRows: boolean },
): Gathering | null {
  if (!hasRows) return gatherer === looker ? { gatherer: null, gathers_until: null } : null
  const isEnough = gatherer === looker && (until === null || until >= now + LENGTHENED_AT_MS)
  return isEnough ? null : { gatherer: looker, gathers_until: now + GATHERS_MS }
}

/** The order in which endpoints have their turn: from `first` on, and from the first of all behind the last. */
export function inTurn<Named extends { readonly subscription: string }>(
  endpoints: readonly Named[],
  first: string,
): readonly Named[] {
  const isLater = ({ subscription }: Named) => subscription < first
  return [...endpoints.filter((each) => !isLater(each)), ...endpoints.filter(isLater)]
}

/** How many rows with a long `Retry-After` are looked through for others. */
export const MOST_LOOKED_THROUGH = 1_000

/** Rows of a recovering endpoint that are made due, oldest event first. */
export interface Forwarding {
  readonly most: number
  /** Only rows of older events. */
  readonly before: number
}

export interface ForwardingAt extends Forwarding {
  readonly subscription: string
  /** The present instant of steady time. */
  readonly now: number
}

/** What a claim of `slots` rows brings forward beside the `ready` ones, of which `forward` may be tried before their time; null: nothing. */
export function forwardingOf(
  gate: Gate,
  ready: readonly { readonly event: number; readonly resumes_at: number | null }[],
  { forward, now, slots }: { readonly forward: number; readonly now: number; readonly slots: number },
): Forwarding | null {
  if (gate !== 'recovering') return null
  const most = forward - ready.filter(({ resumes_at: at }) => (at ?? 0) > now).length
  if (most <= 0) return null
  const last = ready.length < slots ? undefined : ready.at(-1)
  return { most, before: last?.event ?? Number.MAX_SAFE_INTEGER }
}

/** What waits of a recovering endpoint. */
interface PutOff {
  /** When the first of the rows that failed when they were brought forward may come again; null: there is none. */
  readonly againAt: number | null
  /** Whether others wait for their schedule. */
  readonly hasOthers: boolean
}

/**
 * What a recovering endpoint does. Left alone is what a channel put off, what `Retry-After` still holds back, and what failed a short
 * while ago when it was brought forward. `again`: rows whose pause is over are as any other that waits, first. `recovered`: none is
 * left to wait.
 *
 * A row keeps the instant at which it was due (`resumes_at`) and falls back to it when it fails. It may be brought forward again after
 * a minute, then after twice as long each time (`not_before`). So an event that is refused for what it is does not come with each
 * recovery, and one that a short relapse refused does not wait out its whole step. How many come at once is the circuit's to say
 * (`plan/circuit.ts`).
 */
export function recoveryOf({ againAt, hasOthers }: PutOff): 'bring forward' | 'wait' | 'recovered' {
  if (hasOthers) return 'bring forward'
  return againAt === null ? 'recovered' : 'wait'
}

/** Whether rows that failed when they were brought forward may come again. */
export function comesAgain(againAt: number | null, now: number): boolean {
  return againAt !== null && againAt <= now
}
