import type { Gate } from './endpoint-state.ts'

/** How many rows with a long `Retry-After` are looked through for others. */
export const MOST_LOOKED_THROUGH = 1_000

/** Rows of a recovering endpoint that are made due, oldest event first. */
export interface Forwarding {
  readonly most: number
  /** Only rows of older events. */
  readonly before: number
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
export interface PutOff {
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
