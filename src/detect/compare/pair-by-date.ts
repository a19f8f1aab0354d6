import { parseInstant } from '../../model/instant.ts'
import { field } from '../../model/json.ts'
import { without, type Candidate, type CandidatePair, type Pool } from './candidate.ts'
import type { Effort } from './effort.ts'

/** A possible pair costs a tenth of one that is weighed by all its fields. */
const LINK_COST = 0.1
/** How far a missing date is from any other, in milliseconds. */
const FAR = 1e15

interface Dated {
  readonly candidate: Candidate
  readonly at: number
}

/**
 * Pairs what is left in the order of a date-time field. Where one side has more, those stay alone whose absence leaves the
 * least total distance between partners; beyond what the comparison can afford, the last ones.
 */
export function pairByDate(pool: Pool, dateField: string, effort: Effort): Pool {
  const before = inOrder(pool.before, dateField)
  const after = inOrder(pool.after, dateField)
  const found =
    before.length <= after.length
      ? align(before, after, effort)
      : align(after, before, effort).map(([a, b]) => [b, a] as const)
  const taken = new Set<Candidate>(found.flat())
  return {
    pairs: [...pool.pairs, ...found],
    before: without(pool.before, taken),
    after: without(pool.after, taken),
  }
}

function inOrder(candidates: readonly Candidate[], dateField: string): readonly Dated[] {
  return candidates
    .filter((candidate) => candidate.structure === 'object')
    .map((candidate) => ({ candidate, at: parseInstant(field(candidate.element.value, dateField)) ?? FAR }))
    .sort((left, right) => left.at - right.at)
}

/** Every one of `few` with one of `many`, without crossing, at the least total distance. */
function align(few: readonly Dated[], many: readonly Dated[], effort: Effort): readonly CandidatePair[] {
  const most = many.length - few.length
  const links = few.length * (most + 1)
  const spare = effort.affords(links * LINK_COST, few.length + many.length) ? most : 0
  const best = leastDistances(few, many, spare)
  const pairs: CandidatePair[] = []
  let skipped = spare
  for (let i = few.length; i > 0; i -= 1) {
    while (skipped > 0 && best[i]?.[skipped] === best[i]?.[skipped - 1]) skipped -= 1
    const left = few[i - 1]
    const right = many[i - 1 + skipped]
    if (left !== undefined && right !== undefined) pairs.push([left.candidate, right.candidate])
  }
  return pairs
}

/** `[i][s]`: the least distance of the first i of `few` to the first i + s of `many`, at most s of them left out. */
function leastDistances(few: readonly Dated[], many: readonly Dated[], spare: number): readonly (readonly number[])[] {
  const rows: number[][] = [Array.from({ length: spare + 1 }, () => 0)]
  for (const [i, left] of few.entries()) {
    const row: number[] = []
    for (let skipped = 0; skipped <= spare; skipped += 1) {
      const right = many[i + skipped]
      const distance = right === undefined ? FAR : Math.abs(left.at - right.at)
      row.push(Math.min((rows[i]?.[skipped] ?? 0) + distance, row[skipped - 1] ?? Infinity))
    }
    rows.push(row)
  }
  return rows
}
