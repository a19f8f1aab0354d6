import type { Candidate, CandidatePair, Pool } from './candidate.ts'
import type { Effort } from './effort.ts'
import { linkScores } from './link-scores.ts'
import { mayPair } from './may-pair.ts'
import { fieldsSign, pairAgreeing, without } from './pair-agreeing.ts'
import { pairInOrder } from './pair-in-order.ts'

/**
 * Pairs objects (and arrays) that share most fields, `descriptive` ones first; what shares nothing pairs in order. Where
 * there are more possible pairs than the comparison can afford, those pair that agree in all descriptive fields.
 */
export function pairByAffinity(pool: Pool, descriptive: readonly string[], effort: Effort): Pool {
  const [befores, afters] = [pool.before.length, pool.after.length]
  if (befores === 0 || afters === 0) return pool
  if (effort.affords(befores * afters, befores + afters)) return pairInOrder(pairBest(pool, descriptive))
  const sign = fieldsSign(descriptive)
  return pairInOrder(pairAgreeing(pool, (each) => (each.element.key === null ? null : sign(each))))
}

function pairBest(pool: Pool, descriptive: readonly string[]): Pool {
  const pairs: CandidatePair[] = [...pool.pairs]
  const taken = new Set<Candidate>()
  for (const [left, right] of linkScores(pool.before, pool.after, new Set(descriptive))) {
    const [before, after] = [pool.before[left], pool.after[right]]
    if (before === undefined || after === undefined || taken.has(before) || taken.has(after)) continue
    if (!mayPair(before, after)) continue
    pairs.push([before, after])
    taken.add(before).add(after)
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}
