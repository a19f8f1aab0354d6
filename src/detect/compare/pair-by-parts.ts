import { without, type Candidate, type CandidatePair, type Pool } from './candidate.ts'
import type { Effort } from './effort.ts'
import type { Elements } from './shape.ts'

interface Known {
  readonly candidate: Candidate
  readonly parts: readonly string[]
  readonly marks: readonly string[]
  /** For an order that does not depend on the array's. */
  readonly order: string
}

/**
 * Pairs elements of different keys where every part that the former has is the same in the new one: more is known of it by now.
 * Those that have most parts are served first. Of several, those with the same marks are partners before those that share
 * some, and those before the rest, in order.
 */
export function pairByParts(pool: Pool, elements: Elements, effort: Effort): Pool {
  const [befores, afters] = [pool.before.length, pool.after.length]
  if (elements.parts === undefined || befores === 0 || afters === 0) return pool
  if (!effort.affords(befores * afters, befores + afters)) return pool
  const before = known(pool.before, elements).toSorted(
    (left, right) => countOf(right.parts) - countOf(left.parts) || byText(left.order, right.order),
  )
  const after = known(pool.after, elements).toSorted((left, right) => byText(left.order, right.order))
  const taken = new Set<Candidate>()
  const pairs: CandidatePair[] = []
  for (const agree of [haveSameMarks, shareMarks, () => true]) {
    for (const one of before) {
      if (taken.has(one.candidate)) continue
      const other = after.find(
        (each) => !taken.has(each.candidate) && mayBecome(one.parts, each.parts) && agree(one.marks, each.marks),
      )
      if (other === undefined) continue
      taken.add(one.candidate).add(other.candidate)
      pairs.push([one.candidate, other.candidate])
    }
  }
  return { pairs: [...pool.pairs, ...pairs], before: without(pool.before, taken), after: without(pool.after, taken) }
}

function known(candidates: readonly Candidate[], { marks, parts }: Elements): readonly Known[] {
  return candidates.map((candidate) => {
    const own = marks?.(candidate.element) ?? []
    const order = [...own, candidate.element.key ?? '', candidate.canonical].join('\n')
    return { candidate, parts: parts?.(candidate.element) ?? [], marks: own, order }
  })
}

function mayBecome(before: readonly string[], after: readonly string[]): boolean {
  return before.every((part, index) => part === '' || part === after[index])
}

function countOf(parts: readonly string[]): number {
  return parts.filter((part) => part !== '').length
}

function haveSameMarks(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((mark, index) => mark === after[index])
}

function shareMarks(before: readonly string[], after: readonly string[]): boolean {
  return before.some((mark) => after.includes(mark))
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
