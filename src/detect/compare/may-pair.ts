import type { Candidate } from './candidate.ts'

/** A scalar of a set is its own identity; two different keys are two different things. */
export function mayPair(before: Candidate, after: Candidate): boolean {
  if (before.structure !== after.structure || before.structure === 'scalar') return false
  const left = before.element.key
  const right = after.element.key
  return left === null || right === null || left === right
}
