import type { Json } from '../../model/json.ts'
import type { Element } from './pair.ts'
import type { ScalarKind } from './scalar.ts'

/**
 * What a part of a record means. A shape never constrains: a value that is not what the shape expects, and every field
 * that it does not name, is compared by the general rules.
 */
export interface Shape {
  /** Never a change. */
  readonly ignored?: true
  /** How a scalar here compares; `plain` unless said. */
  readonly scalar?: ScalarKind
  readonly fields?: ReadonlyMap<string, Shape>
  /** The shapes of fields that are not named; the usual ones unless said. */
  readonly others?: OtherFieldShapes
  /** How an array here compares; a multiset unless said. */
  readonly elements?: Elements
}

/** What a field means whose name alone speaks for it. */
export interface OtherFieldShapes {
  readonly identifier: Shape
  readonly plain: Shape
}

/** How the elements of an array find their partners in the record as it was. */
export interface Elements {
  /** `elsewhere`: the outer array's `nested` compares them. */
  readonly order: 'set' | 'sequence' | 'elsewhere'
  readonly of: Shape
  /** Elements with different keys are never partners; null: it has no key yet, and may have become any other. */
  readonly key?: (element: Json) => string | null
  /** The field that the key is made of: of one key, those that render it alike are partners before all others. */
  readonly keyField?: string
  /** After the equal ones, those that agree in all of these fields pair; one list after the other. */
  readonly agreeing?: readonly (readonly string[])[]
  /** Fields that say what an element is, rather than how much: they weigh most when the rest is paired. */
  readonly descriptive?: readonly string[]
  /** Pairs the rest in the order of this date-time field instead. */
  readonly dateField?: string
  /**
   * The parts that the key is made of, '' for those that an element does not have. An element that found no partner of its own
   * key may have become one that has all of its parts, and others too.
   */
  readonly parts?: (element: Element) => readonly string[]
  /** What such partners have in common, where there are several that may be. */
  readonly marks?: (element: Element) => readonly string[]
  readonly nested?: Nested
}

/** Elements of an inner array whose partner may sit in another outer element; there the field's own shape is `ELSEWHERE`. */
export interface Nested {
  readonly field: string
  readonly elements: Elements
  readonly key: (outer: Json, inner: Json) => string
}

export const IGNORED: Shape = { ignored: true }
export const IDENTIFIER: Shape = { scalar: 'identifier' }
export const FOLDED: Shape = { scalar: 'folded' }
export const CODE: Shape = { scalar: 'code' }
export const NUMBER: Shape = { scalar: 'number' }
export const BOOLEAN: Shape = { scalar: 'boolean' }
export const DATE: Shape = { scalar: 'date' }
const PLAIN: Shape = {}
export const ELSEWHERE: Shape = { elements: { order: 'elsewhere', of: PLAIN } }

const SETS: Readonly<Record<ScalarKind, Elements>> = {
  plain: { order: 'set', of: PLAIN },
  identifier: { order: 'set', of: IDENTIFIER },
  folded: { order: 'set', of: FOLDED },
  code: { order: 'set', of: CODE },
  number: { order: 'set', of: NUMBER },
  boolean: { order: 'set', of: BOOLEAN },
  date: { order: 'set', of: DATE },
}

const USUAL: OtherFieldShapes = { identifier: IDENTIFIER, plain: PLAIN }
const IDENTIFIER_NAME = /(?:^|_)(?:ids?|references?|numbers?)$|^(?:zip_code|phone)$/

export function objectOf(fields: Readonly<Record<string, Shape>>): Shape {
  return { fields: new Map(Object.entries(fields)) }
}

export function setOf(of: Shape, how: Omit<Elements, 'order' | 'of'> = {}): Shape {
  return { elements: { order: 'set', of, ...how } }
}

export function sequenceOf(of: Shape): Shape {
  return { elements: { order: 'sequence', of } }
}

export function otherFieldShapes(shape: Shape): OtherFieldShapes {
  return shape.others ?? USUAL
}

/** The shape of a field; one that is not named is an identifier or plain by its name. */
export function fieldShape(shape: Shape, name: string): Shape {
  return shape.fields?.get(name) ?? otherFieldShapes(shape)[IDENTIFIER_NAME.test(name) ? 'identifier' : 'plain']
}

export function elementsOf(shape: Shape): Elements {
  return shape.elements ?? SETS[shape.scalar ?? 'plain']
}
