import type { Watchable } from '../model/resource.ts'

/** A failed request of which it is not known yet whether its page fails, its list or the account. */
export interface Doubt {
  readonly watch: Watchable
  readonly sentAt: number
  readonly answeredAt: number
}

/** Where so many resources fail one after the other, nobody else need be asked whether the account answers. */
const SURELY_FAILING = 3

/** Whether other resources have failed, too, since the account answered last: it is probably the account that fails. */
export function areOthersInDoubt(doubts: readonly Doubt[], watch: Watchable): boolean {
  return doubts.some((doubt) => doubt.watch !== watch)
}

/**
 * Who is asked next whether the account answers, where a list answers nowhere: the resource that answered last and has not failed
 * since. One at least, if there is one: several lists may fail by themselves at once. null: it is the account that fails.
 */
export function nextWitness({
  asked,
  doubts,
  lastAnswers,
  watched,
}: {
  readonly asked: ReadonlySet<Watchable>
  readonly doubts: readonly Doubt[]
  readonly lastAnswers: ReadonlyMap<Watchable, number>
  readonly watched: readonly Watchable[]
}): Watchable | null {
  const failing = new Set(doubts.map(({ watch }) => watch))
  if (asked.size > 0 && failing.size >= SURELY_FAILING) return null
  const answeredAt = (watch: Watchable): number => lastAnswers.get(watch) ?? Number.NEGATIVE_INFINITY
  const [next = null] = watched
    .filter((watch) => !asked.has(watch) && !failing.has(watch))
    .toSorted((one, other) => (answeredAt(one) < answeredAt(other) ? 1 : answeredAt(one) > answeredAt(other) ? -1 : 0))
  return next
}

/** The failures that were one after the other, in their order: those in parallel count once. */
export function inARow<T extends Doubt>(doubts: readonly T[]): readonly T[] {
  const row: T[] = []
  for (const doubt of doubts.toSorted((one, other) => one.sentAt - other.sentAt)) {
    const before = row.at(-1)
    if (before === undefined || doubt.sentAt > before.answeredAt) row.push(doubt)
  }
  return row
}
