import { ShipbellError } from '../errors.ts'
import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'

/** Names from the outside in: `subject.id`. */
type FieldPath = readonly string[]

/** Keeps fields of items. Throws `usage` where none of the first items has one of them. */
export type Keep = (items: readonly object[]) => readonly object[]

/**
 * Keeps the named fields: `id,subject.id`. In a list every element is meant. What one item has and another has not is null there.
 * No names: everything. Throws `usage`.
 */
export function keeper(fields: string): Keep {
  if (fields === '') return (items) => items
  const paths = fields.split(',').map((name) => pathOf(name.trim()))
  let checked = false
  return (items) => {
    const plain = items.map(toJson)
    if (!checked && plain.length > 0) for (const path of paths) assertKnown(plain, path)
    checked ||= plain.length > 0
    return plain.map((item) => picked(item, paths))
  }
}

function pathOf(name: string): FieldPath {
  const path = name.split('.')
  if (path.every((part) => part !== '')) return path
  throw new ShipbellError(
    'usage',
    `--json ${JSON.stringify(name)} names no field: give names such as id,type,subject.id.`,
  )
}

/** An item as it would be printed. */
function toJson(item: object): JsonObject {
  return JSON.parse(JSON.stringify(item))
}

function picked(item: JsonObject, paths: readonly FieldPath[]): JsonObject {
  const byName = Map.groupBy(paths, ([name = '']) => name)
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const value = field(item, name) ?? null
      const deeper = same.map((path) => path.slice(1))
      return [name, deeper.some((path) => path.length === 0) ? value : within(value, deeper)]
    }),
  )
}

function within(value: Json, paths: readonly FieldPath[]): Json {
  if (isJsonArray(value)) return value.map((each) => within(each, paths))
  return isJsonObject(value) ? picked(value, paths) : null
}

function assertKnown(items: readonly JsonObject[], path: FieldPath): void {
  let level: readonly Json[] = items
  for (const [depth, name] of path.entries()) {
    const objects = level.flatMap(elements).filter(isJsonObject)
    // Where there is nothing to be seen, nothing is known to be wrong.
    if (objects.length === 0 && level.some((value) => value === null || isJsonArray(value))) return
    if (!objects.some((object) => Object.hasOwn(object, name))) throw unknownField(path, { depth, objects })
    level = objects.flatMap((object) => object[name] ?? null)
  }
}

function unknownField(
  path: FieldPath,
  { depth, objects }: { readonly depth: number; readonly objects: readonly JsonObject[] },
): ShipbellError {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const parent = path.slice(0, depth).join('.')
  const what = `There is no field ${JSON.stringify(path.join('.'))} for --json`
  if (names.length === 0) return new ShipbellError('usage', `${what}: ${parent} has no fields.`)
  const there = names.map((name) => (parent === '' ? name : `${parent}.${name}`)).join(', ')
  return new ShipbellError('usage', `${what}; there are: ${there}.`)
}

function elements(value: Json): readonly Json[] {
  return isJsonArray(value) ? value.flatMap(elements) : [value]
}
