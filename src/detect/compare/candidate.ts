import { field, isJsonArray, isJsonObject, type Json } from '../../model/json.ts'
import { canonical, canonicalFields, canonicalObject } from './canonical.ts'
import type { Element } from './pair.ts'
import type { Elements, Nested } from './shape.ts'

/** An element in search of its partner. */
export interface Candidate {
  readonly element: Element
  /** All that it means, its nested elements included. */
  readonly canonical: string
  readonly structure: 'object' | 'array' | 'scalar'
  /** What partners may have in common: an object's fields, each with its canonical text, and its nested elements. */
  readonly fields: ReadonlyMap<string, string>
}

/** Candidates of both records, and the pairs found so far. */
export interface Pool {
  readonly pairs: readonly CandidatePair[]
  readonly before: readonly Candidate[]
  readonly after: readonly Candidate[]
}

export type CandidatePair = readonly [before: Candidate, after: Candidate]

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

/** Those elements that mean something, in an order that does not depend on the array's. */
export function candidates(elements: Elements, members: readonly Element[]): readonly Candidate[] {
  return sortCandidates(members.map((each) => candidate(elements, each)).filter((each) => each.canonical !== ''))
}

export function sortCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((left, right) =>
    left.canonical < right.canonical ? -1 : Number(left.canonical > right.canonical),
  )
}

function candidate({ of, nested }: Elements, element: Element): Candidate {
  const { value } = element
  if (!isJsonObject(value)) {
    return {
      element,
      canonical: canonical(of, value),
      structure: isJsonArray(value) ? 'array' : 'scalar',
      fields: NO_FIELDS,
    }
  }
  const fields = of.ignored === true ? NO_FIELDS : canonicalFields(of, value)
  const own = canonicalObject(fields)
  if (nested === undefined) return { element, canonical: own, structure: 'object', fields }
  const inner = canonicalNested(nested, value)
  const shared = new Map([...fields, ...inner.names.map((name) => [name, ''] as const)])
  return { element, canonical: [own, ...inner.texts].join(''), structure: 'object', fields: shared }
}

/** The nested elements that mean something, by their keys, numbered where several have one key; and all that they mean. */
function canonicalNested(nested: Nested, outer: Json): { names: readonly string[]; texts: readonly string[] } {
  const values = field(outer, nested.field)
  const inner = (isJsonArray(values) ? values : [])
    .map((value) => ({ key: nested.key(outer, value), text: canonical(nested.elements.of, value) }))
    .filter(({ text }) => text !== '')
  const keyed = Map.groupBy(inner, ({ key }) => key)
  const names = [...keyed].flatMap(([key, group]) => group.map((_, index) => `${nested.field} ${index} ${key}`))
  return { names, texts: inner.map(({ text }) => text).sort() }
}
