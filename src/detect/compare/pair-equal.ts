import type { Candidate, Pool } from './candidate.ts'
import { pairAgreeing } from './pair-agreeing.ts'

/** Which of several equal elements are partners before all others: those rendered alike, and those that stayed where they were. */
const TWIN_SIGNS: readonly ((candidate: Candidate) => string)[] = [
  ({ element, rendering }) => `${element.home} ${rendering}`,
  ({ rendering }) => rendering,
  ({ element, canonical }) => `${element.home} ${canonical}`,
]

/** Pairs the candidates that mean the same, of those that `may`. */
export function pairEqual(pool: Pool, may: (candidate: Candidate) => boolean = () => true): Pool {
  if (pool.before.length === 0 || pool.after.length === 0) return pool
  const texts = [pool.before, pool.after].map((side) => side.filter(may).map(({ canonical }) => canonical))
  const twins = new Set(texts.flatMap(repeated))
  const signs = twins.size === 0 ? [] : TWIN_SIGNS
  const paired = signs.reduce(
    (rest, sign) => pairAgreeing(rest, (each) => (may(each) && twins.has(each.canonical) ? sign(each) : null)),
    pool,
  )
  return pairAgreeing(paired, (each) => (may(each) ? each.canonical : null))
}

function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => seen.size === seen.add(text).size)
}
