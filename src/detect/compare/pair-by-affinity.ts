import { fieldsSign, pairAgreeing, without, type Candidate, type CandidatePair, type Pool } from './candidate.ts'
import type { Effort } from './effort.ts'
import { linkScores } from './link-scores.ts'

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

/** A scalar of a set is its own identity; two different keys are two different things. */
function mayPair(before: Candidate, after: Candidate): boolean {
  if (before.structure !== after.structure || before.structure === 'scalar') return false
  const left = before.element.key
  const right = after.element.key
  return left === null || right === null || left === right
}

/**
 * Pairs each candidate with the first one that is left of those it may pair with (`mayPair`). They wait in lines by what
 * they may pair with, so that none is looked at again and again.
 */
function pairInOrder(pool: Pool): Pool {
  if (pool.before.length === 0 || pool.after.length === 0) return pool
  const pairs: CandidatePair[] = [...pool.pairs]
  const taken = new Set<Candidate>()
  const lines = linesOf(pool.after)
  for (const before of pool.before) {
    const heads = linesFor(before).map((name) => headOf(lines.get(name) ?? [], taken))
    const [after] = heads.filter((head) => head !== null).sort((left, right) => left.place - right.place)
    if (after === undefined) continue
    pairs.push([before, after.candidate])
    taken.add(before).add(after.candidate)
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}

interface Waiting {
  readonly candidate: Candidate
  readonly place: number
}

/** Each line with its first candidate at the end. */
function linesOf(after: readonly Candidate[]): ReadonlyMap<string, Waiting[]> {
  const lines = new Map<string, Waiting[]>()
  for (const [place, candidate] of [...after.entries()].toReversed()) {
    const { structure, element } = candidate
    for (const name of [structure, lineOf(structure, element.key)]) {
      const line = lines.get(name) ?? []
      lines.set(name, line)
      line.push({ candidate, place })
    }
  }
  return lines
}

/** An element without a key may pair with any; one with a key with those that have it or none. */
function linesFor({ structure, element }: Candidate): readonly string[] {
  if (structure === 'scalar') return []
  return element.key === null ? [structure] : [lineOf(structure, null), lineOf(structure, element.key)]
}

function lineOf(structure: Candidate['structure'], key: string | null): string {
  return JSON.stringify([structure, key])
}

function headOf(line: Waiting[], taken: ReadonlySet<Candidate>): Waiting | null {
  for (let head = line.at(-1); head !== undefined; head = line.at(-1)) {
    if (!taken.has(head.candidate)) return head
    line.pop()
  }
  return null
}
