import type { Candidate } from './candidate.ts'

const DESCRIPTIVE_WEIGHT = 100

/** Two candidates by their places, and how much they share. */
export type Link = readonly [before: number, after: number]

/**
 * The candidates of both sides that share a field, those that share most first and each score in the order of the
 * candidates. Finds them by what they share, so that it costs no more than there is to find.
 */
export function* linkScores(
  before: readonly Candidate[],
  after: readonly Candidate[],
  descriptive: ReadonlySet<string>,
): Generator<Link> {
  const holders = holdersOf(after)
  const byScore = new Map<number, number[]>()
  const scores = new Int32Array(after.length)
  for (const [left, { fields }] of before.entries()) {
    scores.fill(0)
    for (const [name, text] of fields) {
      const weight = descriptive.has(name) ? DESCRIPTIVE_WEIGHT : 1
      for (const right of holders.get(name)?.get(text) ?? []) scores[right] = (scores[right] ?? 0) + weight
    }
    for (const [right, score] of scores.entries()) {
      if (score === 0) continue
      const links = byScore.get(score)
      if (links === undefined) byScore.set(score, [left * after.length + right])
      else links.push(left * after.length + right)
    }
  }
  for (const score of [...byScore.keys()].sort((a, b) => b - a)) {
    for (const link of byScore.get(score) ?? []) yield [Math.floor(link / after.length), link % after.length]
  }
}

/** Which candidates hold each text in each field. */
function holdersOf(candidates: readonly Candidate[]): ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> {
  const holders = new Map<string, Map<string, number[]>>()
  for (const [index, { fields }] of candidates.entries()) {
    for (const [name, text] of fields) {
      const texts = holders.get(name) ?? new Map<string, number[]>()
      holders.set(name, texts)
      const same = texts.get(text)
      if (same === undefined) texts.set(text, [index])
      else same.push(index)
    }
  }
  return holders
}
