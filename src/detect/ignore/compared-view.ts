import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { parsePointer } from '../../model/pointer.ts'
import type { Element } from '../compare/pair.ts'
import {
  elementsOf,
  fieldShape,
  IGNORED,
  otherFieldShapes,
  type Elements,
  type Nested,
  type Shape,
} from '../compare/shape.ts'

/** What is left to compare of a resource's records beside what is ignored. */
interface ComparedView {
  readonly shape: Shape
  readonly of: (record: JsonObject) => JsonObject
}

/** Settings are frozen, so a list of pointers is compiled once for each shape. */
const VIEWS = new WeakMap<readonly string[], WeakMap<Shape, ComparedView>>()

export function comparedView(shape: Shape, ignore: readonly string[]): ComparedView {
  const known = VIEWS.get(ignore)?.get(shape)
  if (known !== undefined) return known
  const view = compile(shape, ignore)
  VIEWS.set(ignore, (VIEWS.get(ignore) ?? new WeakMap<Shape, ComparedView>()).set(shape, view))
  return view
}

function compile(shape: Shape, ignore: readonly string[]): ComparedView {
  const part = ignoredPart(ignore)
  return { shape: shapeIgnoring(shape, part), of: (record) => recordWithout(record, part) }
}

/** A shape in which some parts are never a change, and have no say in which elements are partners. */
function shapeIgnoring(shape: Shape, part: IgnoredPart): Shape {
  if (part.length === 0) return shape
  if (isWhole(part)) return IGNORED
  const names = new Set([...(shape.fields?.keys() ?? []), ...namedIn(part)])
  const fields = [...names].map((name) => [name, shapeIgnoring(fieldShape(shape, name), ofField(part, name))] as const)
  const { identifier, plain } = otherFieldShapes(shape)
  const others = ofOtherFields(part)
  return {
    ...shape,
    fields: new Map(fields),
    others: { identifier: shapeIgnoring(identifier, others), plain: shapeIgnoring(plain, others) },
    elements: elementsIgnoring(elementsOf(shape), ofElements(part)),
  }
}

function elementsIgnoring(elements: Elements, part: IgnoredPart): Elements {
  if (part.length === 0) return elements
  const { key, nested, dateField, parts, marks, ...rest } = elements
  const isDated = dateField !== undefined && !isWhole(ofField(part, dateField))
  const inner = nested === undefined ? undefined : nestedIgnoring(nested, part)
  return {
    ...rest,
    of: shapeIgnoring(elements.of, part),
    ...(key === undefined ? {} : { key: (element) => key(without(element, part)) }),
    ...(parts === undefined ? {} : { parts: (element) => parts(elementWithout(element, part)) }),
    ...(marks === undefined ? {} : { marks: (element) => marks(elementWithout(element, part)) }),
    ...(isDated ? { dateField } : {}),
    ...(inner === undefined ? {} : { nested: inner }),
  }
}

function nestedIgnoring(nested: Nested, part: IgnoredPart): Nested | undefined {
  const array = ofField(part, nested.field)
  if (isWhole(part) || isWhole(array)) return undefined
  const inner = ofElements(array)
  const elements = elementsIgnoring(nested.elements, inner)
  const { parts } = elements
  const ofOuter = (element: Element): Element => {
    const { owner } = element
    return owner === null ? element : { ...element, owner: elementWithout(owner, part) }
  }
  return {
    field: nested.field,
    elements: parts === undefined ? elements : { ...elements, parts: (element) => parts(ofOuter(element)) },
    key: (outer, element) => nested.key(without(outer, part), without(element, inner)),
  }
}

function elementWithout(element: Element, part: IgnoredPart): Element {
  return { ...element, value: without(element.value, part) }
}

/** The parts of a value that are no change, each as the way to it; the empty way is the whole value. */
type IgnoredPart = readonly (readonly string[])[]

const ANY = '*'
const INDEX = /^\d+$/

/** The part of a record that JSON Pointers ignore, in which `*` stands for any element or key. */
function ignoredPart(pointers: readonly string[]): IgnoredPart {
  return pointers.map(parsePointer)
}

function isWhole(part: IgnoredPart): boolean {
  return part.some((way) => way.length === 0)
}

/** What is ignored of the field of this name. */
function ofField(part: IgnoredPart, name: string): IgnoredPart {
  return part.filter(([step]) => step === ANY || step === name).map((way) => way.slice(1))
}

/** What is ignored of the fields that no way names. */
function ofOtherFields(part: IgnoredPart): IgnoredPart {
  return ofField(part, ANY)
}

/** What is ignored of an array's elements. They have no lasting places, so an index stands for any of them too. */
function ofElements(part: IgnoredPart): IgnoredPart {
  return part.filter(([step]) => step === ANY || (step !== undefined && INDEX.test(step))).map((way) => way.slice(1))
}

function namedIn(part: IgnoredPart): readonly string[] {
  return part.flatMap(([step]) => (step === undefined || step === ANY ? [] : [step]))
}

/** A record without what is ignored of it. */
function recordWithout(record: JsonObject, part: IgnoredPart): JsonObject {
  const rest = without(record, part)
  return isJsonObject(rest) ? rest : {}
}

/** The value without what is ignored of it; elements keep their places. */
function without(value: Json, part: IgnoredPart): Json {
  if (part.length === 0) return value
  if (isWhole(part)) return null
  if (isJsonArray(value)) {
    const inner = ofElements(part)
    return inner.length === 0 ? value : value.map((element) => without(element, inner))
  }
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, each]) => ({ name, each, inner: ofField(part, name) }))
  const partly = fields.filter(({ inner }) => !isWhole(inner))
  return Object.fromEntries(partly.map(({ name, each, inner }) => [name, without(each, inner)]))
}
