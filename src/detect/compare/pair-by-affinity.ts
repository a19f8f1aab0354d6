import type { Candidate, CandidatePair, Pool } from './candidate.ts'
import { without } from './pair-agreeing.ts'

/** Beyond this many possible pairs the rest is paired in order, so that no array can stall a pass. */
const MOST_LINKS = 40_000
const DESCRIPTIVE_WEIGHT = 100

interface Link {
  readonly pair: CandidatePair
  readonly score: number
}

/** Pairs objects (and arrays) that share most fields, descriptive ones first; what shares nothing pairs in order. */
export function pairByAffinity(pool: Pool, descriptive: readonly string[]): Pool {
  if (pool.before.length * pool.after.length > MOST_LINKS) return pairInOrder(pool)
  const weigh = new Set(descriptive)
  const links: Link[] = pool.before.flatMap((before) =>
    pool.after
      .filter((after) => mayPair(before, after))
      .map((after) => ({ pair: [before, after], score: affinity(before, after, weigh) })),
  )
  const taken = new Set<Candidate>()
  const pairs: CandidatePair[] = [...pool.pairs]
  for (const { pair } of links.sort((left, right) => right.score - left.score)) {
    if (taken.has(pair[0]) || taken.has(pair[1])) continue
    pairs.push(pair)
    taken.add(pair[0]).add(pair[1])
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}

function pairInOrder(pool: Pool): Pool {
  const pairs: CandidatePair[] = [...pool.pairs]
  const taken = new Set<Candidate>()
  let next = 0
  for (const before of pool.before) {
    const after = pool.after[next]
    if (after === undefined) break
    if (!mayPair(before, after)) continue
    next += 1
    pairs.push([before, after])
    taken.add(before).add(after)
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}

/** A scalar of a set is its own identity; two different keys are two different things. */
function mayPair(before: Candidate, after: Candidate): boolean {
  if (before.structure !== after.structure || before.structure === 'scalar') return false
  const left = before.element.key
  const right = after.element.key
  return left === null || right === null || left === right
}

function affinity(before: Candidate, after: Candidate, descriptive: ReadonlySet<string>): number {
  let score = 0
  for (const [name, text] of before.fields) {
    if (after.fields.get(name) === text) score += descriptive.has(name) ? DESCRIPTIVE_WEIGHT : 1
  }
  return score
}
