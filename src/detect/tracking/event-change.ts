import { parseInstant } from '../../model/instant.ts'
import { field } from '../../model/json.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'

/** A tracking event that changed, beside what changed in it. */
export interface EventChange {
  readonly pair: Pair
  readonly leaves: readonly LeafChange[]
  /** What it tells of its step, where it tells that the step came or went. */
  readonly stepLeaves: readonly LeafChange[]
}

export function eventChanges(leaves: readonly LeafChange[]): readonly EventChange[] {
  return [...Map.groupBy(leaves, (leaf) => leaf.pairs[1])].flatMap(([pair, own]) =>
    pair === undefined ? [] : [{ pair, leaves: own, stepLeaves: [] }],
  )
}

/**
 * Undated ones last; of one date, what went before what came, then by all that is told, so that it does not depend on the
 * order of the arrays; of equal events, one that tells its step first.
 */
export function inOrderOfDates(changed: readonly EventChange[]): readonly EventChange[] {
  return changed
    .map((each) => ({ each, at: instantOf(each.pair), order: orderOf(each) }))
    .sort((left, right) => left.at - right.at || (left.order < right.order ? -1 : Number(left.order > right.order)))
    .map(({ each }) => each)
}

const UNDATED = Number.MAX_SAFE_INTEGER

function instantOf({ before, after }: Pair): number {
  return parseInstant(field((after ?? before)?.value, 'date')) ?? UNDATED
}

function orderOf({ pair: { before, after }, leaves, stepLeaves }: EventChange): string {
  const rank = after === null ? 0 : before === null ? 2 : 1
  const tellsStep = stepLeaves.length > 0 ? 0 : 1
  return [rank, ...textsOf(leaves), tellsStep, ...textsOf(stepLeaves)].join('\n')
}

function textsOf(leaves: readonly LeafChange[]): readonly string[] {
  return leaves.map(canonicalChange).sort()
}
