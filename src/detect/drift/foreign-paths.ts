import type { FieldTree } from '../../model/field-tree.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { formatPointer } from '../../model/pointer.ts'
import { ANY_ELEMENT, saysSomething } from './pattern-value.ts'

/** Longer paths come from no interface: they are told as the change of one record, never as drift. */
const LONGEST = 300

/**
 * The fields of a record that the interface does not name and that hold a value, as JSON Pointers with `*` for elements of
 * arrays; what lies inside such a field belongs to it. Ids of shipments are called differently on every platform (contract
 * section 3.11) and are no drift.
 */
export function foreignPaths(record: JsonObject, tree: FieldTree): ReadonlySet<string> {
  const paths = new Set<string>()
  collect(record, { tree, path: '' }, paths)
  return paths
}

interface At {
  readonly tree: FieldTree
  /** JSON Pointer of the value. */
  readonly path: string
}

function collect(value: Json, { tree, path }: At, paths: Set<string>): void {
  if (isJsonArray(value)) {
    if (tree.elements === null) return
    const at = { tree: tree.elements, path: below(path, ANY_ELEMENT) }
    for (const element of value) collect(element, at, paths)
  }
  if (!isJsonObject(value) || tree.fields.size === 0) return
  for (const name of Object.keys(value)) {
    const known = tree.fields.get(name)
    const each = value[name] ?? null
    // Most fields are known scalars: they must cost next to nothing.
    if (known !== undefined && typeof each !== 'object') continue
    if (known !== undefined) collect(each, { tree: known, path: below(path, name) }, paths)
    else if (isForeign(name) && saysSomething(each)) paths.add(below(path, name))
  }
}

function below(path: string, name: string): string {
  return path + formatPointer([name])
}

/** A field called like the sign for any element could not be told from it. */
function isForeign(name: string): boolean {
  return name !== ANY_ELEMENT && name.length <= LONGEST && !name.endsWith('_shipment_id')
}
