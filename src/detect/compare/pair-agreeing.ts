import type { Candidate, CandidatePair, Pool } from './candidate.ts'

/** Pairs the candidates for which `sign` says the same; those with a null sign wait for a later stage. */
export function pairAgreeing(pool: Pool, sign: (candidate: Candidate) => string | null): Pool {
  if (pool.before.length === 0 || pool.after.length === 0) return pool
  const waiting = Map.groupBy(pool.after, sign)
  for (const queue of waiting.values()) queue.reverse()
  const pairs: CandidatePair[] = [...pool.pairs]
  const taken = new Set<Candidate>()
  for (const before of pool.before) {
    const text = sign(before)
    const after = text === null ? undefined : waiting.get(text)?.pop()
    if (after === undefined) continue
    pairs.push([before, after])
    taken.add(before).add(after)
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}

/** The values of some fields as one text; null where none of them says anything. */
export function fieldsSign(names: readonly string[]): (candidate: Candidate) => string | null {
  return ({ fields }) =>
    names.some((name) => fields.has(name)) ? names.map((name) => fields.get(name) ?? '').join('\n') : null
}

export function without(candidates: readonly Candidate[], taken: ReadonlySet<Candidate>): readonly Candidate[] {
  return candidates.filter((each) => !taken.has(each))
}
