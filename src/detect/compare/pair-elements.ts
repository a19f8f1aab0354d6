import { asText, field, rawEqual, type Json } from '../../model/json.ts'
import { candidates, fieldsSign, pairAgreeing, sortCandidates, type Candidate, type Pool } from './candidate.ts'
import type { Effort } from './effort.ts'
import { ANY, makePair, type Element, type Pair } from './pair.ts'
import { pairByAffinity } from './pair-by-affinity.ts'
import { pairByDate } from './pair-by-date.ts'
import { pairByParts } from './pair-by-parts.ts'
import type { Elements } from './shape.ts'

/**
 * Finds the partner of every element of a set: within one key the equal ones first, then those whose fields agree, then the
 * rest. Does not depend on the order of the arrays. Elements that mean nothing have no place in the answer.
 */
export function pairElements(
  elements: Elements,
  { before, after }: { readonly before: readonly Element[]; readonly after: readonly Element[] },
  effort: Effort,
): readonly Pair[] {
  const groups = byKey(candidates(elements, before), candidates(elements, after))
  const keyed: Pool[] = []
  for (const [key, pool] of groups) if (key !== null) keyed.push(pairWithinKey(elements, pool, effort))
  const loose = pairLoose(elements, merge([groups.get(null) ?? EMPTY, ...keyed]), effort)
  const rest = pairByParts(loose, elements, effort)
  return [
    ...rest.pairs.map(([left, right]) => makePair(left.element, right.element)),
    ...rest.before.map((each) => makePair(each.element, null)),
    ...rest.after.map((each) => makePair(null, each.element)),
  ]
}

/** The elements of two arrays, without those that are the same JSON at the same index. */
export function differingElements(
  elements: Elements,
  before: readonly Json[],
  after: readonly Json[],
): readonly [before: readonly Element[], after: readonly Element[]] {
  const same = before.map((value, index) => index < after.length && rawEqual(value, after[index] ?? null))
  const pick = (values: readonly Json[]): readonly Element[] =>
    values.flatMap((value, index) =>
      same[index] === true
        ? []
        : [{ index, value, key: elements.key === undefined ? ANY : elements.key(value), owner: null, home: null }],
    )
  return [pick(before), pick(after)]
}

const EMPTY: Pool = { pairs: [], before: [], after: [] }

/** The pools in the order of their keys, so that what follows does not depend on the order of the arrays. */
function byKey(before: readonly Candidate[], after: readonly Candidate[]): ReadonlyMap<string | null, Pool> {
  const left = Map.groupBy(before, (each) => each.element.key)
  const right = Map.groupBy(after, (each) => each.element.key)
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort(byText)
  return new Map(keys.map((key) => [key, { pairs: [], before: left.get(key) ?? [], after: right.get(key) ?? [] }]))
}

function byText(left: string | null, right: string | null): number {
  const [one, other] = [left ?? '', right ?? '']
  return one < other ? -1 : Number(one > other)
}

function pairWithinKey(elements: Elements, group: Pool, effort: Effort): Pool {
  const [before, after] = [group.before[0], group.after[0]]
  const isAlone = group.before.length === 1 && group.after.length === 1
  if (isAlone && before?.structure === 'object' && after?.structure === 'object') {
    return { pairs: [[before, after]], before: [], after: [] }
  }
  if (before === undefined || after === undefined) return group
  const { keyField } = elements
  if (keyField === undefined) return pairAlike(elements, merge([group]), effort)
  const alike = [...byRendering(group, keyField).values()].map((pool) => pairAlike(elements, merge([pool]), effort))
  return pairAlike(elements, merge(alike), effort)
}

/** `007` and `7` are two texts, although either may be rendered as the number 7. */
function byRendering({ before, after }: Pool, keyField: string): ReadonlyMap<string, Pool> {
  const rendering = ({ element }: Candidate): string => asText(field(element.value, keyField)) ?? ''
  const [left, right] = [Map.groupBy(before, rendering), Map.groupBy(after, rendering)]
  const names = [...new Set([...left.keys(), ...right.keys()])].sort(byText)
  return new Map(names.map((name) => [name, { pairs: [], before: left.get(name) ?? [], after: right.get(name) ?? [] }]))
}

function pairAlike(elements: Elements, group: Pool, effort: Effort): Pool {
  let pool = pairEqual(group)
  for (const names of elements.agreeing ?? []) pool = pairAgreeing(pool, fieldsSign(names))
  return elements.dateField === undefined
    ? pairByAffinity(pool, elements.descriptive ?? [], effort)
    : pairByDate(pool, elements.dateField, effort)
}

/** Elements without a key may have become, or have been, any that found no partner under its own. */
function pairLoose(elements: Elements, pool: Pool, effort: Effort): Pool {
  const loose = [...pool.before, ...pool.after].some((each) => each.element.key === null)
  if (!loose) return pool
  return pairByAffinity(
    pairEqual(pool, (each) => each.element.key === null),
    elements.descriptive ?? [],
    effort,
  )
}

function merge(pools: readonly Pool[]): Pool {
  return {
    pairs: pools.flatMap((pool) => pool.pairs),
    before: sortCandidates(pools.flatMap((pool) => pool.before)),
    after: sortCandidates(pools.flatMap((pool) => pool.after)),
  }
}

/** Which of several equal elements are partners before all others: those rendered alike, and those that stayed where they were. */
const TWIN_SIGNS: readonly ((candidate: Candidate) => string)[] = [
  ({ element, rendering }) => `${element.home} ${rendering}`,
  ({ rendering }) => rendering,
  ({ element, canonical }) => `${element.home} ${canonical}`,
]

/** Pairs the candidates that mean the same, of those that `may`. */
function pairEqual(pool: Pool, may: (candidate: Candidate) => boolean = () => true): Pool {
  if (pool.before.length === 0 || pool.after.length === 0) return pool
  const texts = [pool.before, pool.after].map((side) => side.filter(may).map(({ canonical }) => canonical))
  const twins = new Set(texts.flatMap(repeated))
  const signs = twins.size === 0 ? [] : TWIN_SIGNS
  const paired = signs.reduce(
    (rest, sign) => pairAgreeing(rest, (each) => (may(each) && twins.has(each.canonical) ? sign(each) : null)),
    pool,
  )
  return pairAgreeing(paired, (each) => (may(each) ? each.canonical : null))
}

function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => seen.size === seen.add(text).size)
}
