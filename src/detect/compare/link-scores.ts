import type { Candidate } from './candidate.ts'

const DESCRIPTIVE_WEIGHT = 100
/** Steps that weighing may take, some 5 ns each: one for each two candidates that hold the same text in the same field. */
const MOST_STEPS = 20_000_000

/** Two candidates by their places, and how much they share. */
type Link = readonly [before: number, after: number]

/**
 * The candidates of both sides that share a field, those that share most first and each score in the order of the
 * candidates. Finds them by what they share, so that it costs no more than there is to find. Where there is too much of it,
 * the texts that most of them hold are left out: they tell candidates apart the least.
 */
export function* linkScores(
  before: readonly Candidate[],
  after: readonly Candidate[],
  descriptive: ReadonlySet<string>,
): Generator<Link> {
  const holders = withinBudget(holdersOf(after), before, after)
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
type Holders = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

interface SharedText {
  readonly name: string
  readonly text: string
  /** Pairs of candidates that share it. */
  readonly pairs: number
}

/** Does not depend on the order of the candidates: texts that as many pairs share stay, or go, together. */
function withinBudget(holders: Holders, before: readonly Candidate[], after: readonly Candidate[]): Holders {
  const texts = before.reduce((sum, { fields }) => sum + fields.size, 0)
  if (texts * after.length <= MOST_STEPS) return holders
  const shared = sharedTexts(holders, before)
  const steps = shared.reduce((sum, { pairs }) => sum + pairs, 0)
  if (steps <= MOST_STEPS) return holders
  let left = MOST_STEPS
  const holdersOfShared = new Map<string, Map<string, readonly number[]>>()
  for (const [pairs, alike] of [...Map.groupBy(shared, (each) => each.pairs)].sort(([a], [b]) => a - b)) {
    left -= pairs * alike.length
    if (left < 0) break
    for (const { name, text } of alike) {
      const same = holdersOfShared.get(name) ?? new Map<string, readonly number[]>()
      holdersOfShared.set(name, same.set(text, holders.get(name)?.get(text) ?? []))
    }
  }
  return holdersOfShared
}

function sharedTexts(holders: Holders, before: readonly Candidate[]): readonly SharedText[] {
  return [...holdersOf(before)].flatMap(([name, texts]) =>
    [...texts].flatMap(([text, { length }]) => {
      const pairs = length * (holders.get(name)?.get(text)?.length ?? 0)
      return pairs === 0 ? [] : [{ name, text, pairs }]
    }),
  )
}

function holdersOf(candidates: readonly Candidate[]): Holders {
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
