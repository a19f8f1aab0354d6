import type { Watchable } from '../model/resource.ts'
import { probeDelay } from './backoff.ts'

/** A resource that the key was refused (403). */
interface Refusal {
  /** Refusals in a row. */
  readonly count: number
  /** When the last one arrived, by the clock, and after which other requests (`Turn`). */
  readonly at: number
  readonly turn: number
  /** How long the resource is left alone since. */
  readonly waitMs: number
  /** Rows before the first page that was refused; 0: all of it. */
  readonly skip: number
  /** Whether other resources are known to answer. Then the refusal is the resource's alone. */
  readonly isJudged: boolean
}

/**
 * What a key was refused with 403. `account`: nothing answers at all. Instants and durations are milliseconds. The order of
 * requests and answers goes by turns: numbers that only increase, since a clock may be set.
 */
export interface Access {
  readonly account: Silence | null
  readonly resources: ReadonlyMap<Watchable, Refusal>
}

type Silence = Pick<Refusal, 'count' | 'at' | 'turn' | 'waitMs'>

export const ALLOWED: Access = { account: null, resources: new Map() }

/** A place of a resource: the page of a list with so many rows before it; 0 for what has no pages. */
export interface Place {
  readonly watch: Watchable
  readonly skip: number
}

/** A resource was refused. What is known to be its own trouble stays so. */
export function afterRefusal(
  access: Access,
  { at, place, turn }: { readonly place: Place; readonly at: number; readonly turn: number },
  random: number,
): Access {
  const { skip, watch } = place
  const known = access.resources.get(watch)
  const count = (known?.count ?? 0) + 1
  const refusal: Refusal = {
    count,
    at,
    turn,
    waitMs: probeDelay(count, random),
    skip: Math.min(known?.skip ?? skip, skip),
    isJudged: known?.isJudged ?? false,
  }
  return { ...access, resources: new Map(access.resources).set(watch, refusal) }
}

/**
 * Something answered that was asked for in a turn. It ends the refusal of its own place, and shows of what was refused before
 * it was sent that others answer.
 */
export function afterAnswer(
  access: Access,
  { place, turn }: { readonly place: Place | null; readonly turn: number },
): { readonly access: Access; readonly judged: readonly Watchable[] } {
  if (access.account === null && access.resources.size === 0) return { access, judged: [] }
  const resources = new Map(access.resources)
  const judged: Watchable[] = []
  for (const [watch, refusal] of access.resources) {
    if (turn <= refusal.turn) continue
    if (place?.watch === watch && place.skip >= refusal.skip) resources.delete(watch)
    else if (!refusal.isJudged) {
      resources.set(watch, { ...refusal, isJudged: true })
      judged.push(watch)
    }
  }
  const { account } = access
  return { access: { account: account !== null && turn <= account.turn ? account : null, resources }, judged }
}

/** Nothing answers: the whole account is left alone, longer each time. Refusals that were in doubt are forgotten. */
export function afterSilence(
  { account, resources }: Access,
  { at, turn }: { readonly at: number; readonly turn: number },
  random: number,
): Access {
  const count = (account?.count ?? 0) + 1
  return {
    account: { count, at, turn, waitMs: probeDelay(count, random) },
    resources: new Map([...resources].filter(([, { isJudged }]) => isJudged)),
  }
}

/** Refused resources of which it is not known yet whether the whole account is refused. */
export function inDoubt({ resources }: Access): boolean {
  return [...resources.values()].some(({ isJudged }) => !isJudged)
}

/** Resources that may answer, as far as is known. */
export function mayAnswer({ resources }: Access, watches: readonly Watchable[]): readonly Watchable[] {
  return watches.filter((watch) => resources.get(watch)?.skip !== 0)
}

/** How much longer something is left alone; a clock that was set makes no wait longer than it was. */
export function leftMs(refusal: Silence | null | undefined, now: number): number {
  return refusal == null ? 0 : Math.min(refusal.at + refusal.waitMs - now, refusal.waitMs)
}
