import { fieldsSign, pairAgreeing, without, type Candidate, type CandidatePair, type Pool } from './candidate.ts'
import type { Effort } from './effort.ts'

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
  const kept = new Map<string, Map<string, readonly number[]>>()
  for (const [pairs, alike] of [...Map.groupBy(shared, (each) => each.pairs)].sort(([a], [b]) => a - b)) {
    left -= pairs * alike.length
    if (left < 0) break
    for (const { name, text } of alike) {
      const same = kept.get(name) ?? new Map<string, readonly number[]>()
      kept.set(name, same.set(text, holders.get(name)?.get(text) ?? []))
    }
  }
  return kept
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
