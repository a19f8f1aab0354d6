import { field, isJsonArray, isJsonObject, type Json } from '../../model/json.ts'
import { canonical, canonicalFields, canonicalObject } from './canonical.ts'
import type { Element } from './pair.ts'
import { elementsOf, fieldShape, type Elements, type Nested, type Shape } from './shape.ts'

/** Candidates of both records, and the pairs found so far. */
export interface Pool {
  readonly pairs: readonly CandidatePair[]
  readonly before: readonly Candidate[]
  readonly after: readonly Candidate[]
}

export type CandidatePair = readonly [before: Candidate, after: Candidate]

interface Meaning {
  readonly canonical: string
  readonly fields: ReadonlyMap<string, string>
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

/** An element in search of its partner. What it means is found out when it is asked for: most partners are known before. */
export class Candidate {
  readonly element: Element
  readonly structure: 'object' | 'array' | 'scalar'
  readonly #elements: Elements
  #meaning: Meaning | null = null
  #rendering: string | null = null

  constructor(elements: Elements, element: Element) {
    this.element = element
    this.#elements = elements
    this.structure = isJsonObject(element.value) ? 'object' : isJsonArray(element.value) ? 'array' : 'scalar'
  }

  /** All that the element means, its nested elements included. */
  get canonical(): string {
    return this.#mean().canonical
  }

  /** The element as `canonical` writes it, but `007` and `7` are two texts. */
  get rendering(): string {
    this.#rendering ??= canonical(this.#elements.of, this.element.value, 'kept')
    return this.#rendering
  }

  /** What partners may have in common: an object's fields, each with its canonical text, and its nested elements. */
  get fields(): ReadonlyMap<string, string> {
    return this.#mean().fields
  }

  #mean(): Meaning {
    this.#meaning ??= meaningOf(this.#elements, this.element.value)
    return this.#meaning
  }
}

/** The candidates of those elements that mean something. */
export function candidates(elements: Elements, members: readonly Element[]): readonly Candidate[] {
  return members
    .filter(({ value }) => elementMeansSomething(elements, value))
    .map((element) => new Candidate(elements, element))
}

/** Candidates in an order that does not depend on the array's: equal ones by what they stand in. */
export function sortCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates
  return candidates.toSorted((left, right) => {
    if (left.canonical !== right.canonical) return left.canonical < right.canonical ? -1 : 1
    return (left.element.home ?? 0) - (right.element.home ?? 0)
  })
}

function meaningOf({ of, nested }: Elements, value: Json): Meaning {
  if (!isJsonObject(value)) return { canonical: canonical(of, value), fields: NO_FIELDS }
  const fields = of.ignored === true ? NO_FIELDS : canonicalFields(of, value)
  const own = canonicalObject(fields)
  if (nested === undefined) return { canonical: own, fields }
  const inner = canonicalNested(nested, value)
  const shared = new Map([...fields, ...inner.names.map((name) => [name, ''] as const)])
  return { canonical: [own, ...inner.texts].join(''), fields: shared }
}

/** All that an element means, its nested elements included. */
export function elementText(elements: Elements, { value }: Element): string {
  return meaningOf(elements, value).canonical
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

/** Whether an element has a canonical text, without making it: most say so with their first field. */
function elementMeansSomething({ of, nested }: Elements, value: Json): boolean {
  if (meansSomething(of, value)) return true
  const inner = nested === undefined ? undefined : field(value, nested.field)
  return nested !== undefined && isJsonArray(inner) && inner.some((each) => meansSomething(nested.elements.of, each))
}

function meansSomething(shape: Shape, value: Json): boolean {
  if (shape.ignored === true) return false
  if (isJsonObject(value)) {
    return Object.keys(value).some((name) => meansSomething(fieldShape(shape, name), value[name] ?? null))
  }
  if (!isJsonArray(value)) return value !== null && value !== ''
  const { of, order } = elementsOf(shape)
  return order !== 'elsewhere' && value.some((element) => meansSomething(of, element))
}

/** Pairs the candidates for which `sign` says the same; those with a null sign wait for a later stage. */
export function pairAgreeing(pool: Pool, sign: (candidate: Candidate) => string | null): Pool {
  if (pool.before.length === 0 || pool.after.length === 0) return pool
  const waiting = Map.groupBy(pool.after, sign)
  for (const queue of waiting.values()) queue.reverse()
  const pairs: CandidatePair[] = [...pool.pairs]
  const taken = new Set<Candidate>()
  for (const before of pool.before) {
    const text = sign(before)
    const after = text === null ? undefined : waiting.get(text)?.pop()
    if (after === undefined) continue
    pairs.push([before, after])
    taken.add(before).add(after)
  }
  return { pairs, before: without(pool.before, taken), after: without(pool.after, taken) }
}

/** The values of some fields as one text; null where none of them says anything. */
export function fieldsSign(names: readonly string[]): (candidate: Candidate) => string | null {
  return ({ fields }) =>
    names.some((name) => fields.has(name)) ? names.map((name) => fields.get(name) ?? '').join('\n') : null
}

export function without(candidates: readonly Candidate[], taken: ReadonlySet<Candidate>): readonly Candidate[] {
  return candidates.filter((each) => !taken.has(each))
}
