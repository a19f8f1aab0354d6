import type { FieldTree } from '../../model/field-tree.ts'
import { isJsonArray, isJsonObject, nestsDeeperThan, type Json, type JsonObject } from '../../model/json.ts'
import { formatPointer } from '../../model/pointer.ts'
import type { RecordResource } from '../../model/resource.ts'
import { DEEPEST } from '../detect-input.ts'
import { comparedView } from '../ignore/compared-view.ts'
import { RESOURCE_RULES } from '../resource-rules.ts'
import { ANY_ELEMENT, saysSomething } from './first-values.ts'

const LEAST_RECORDS = 10
/** Absorbed paths are kept with the list: a platform that invents fields without end must not make it grow without end. */
const MOST_ABSORBED = 200

const NONE: ReadonlySet<string> = new Set()

interface DriftInput {
  readonly resource: RecordResource
  /** The records of one page that are new or changed. */
  readonly news: readonly JsonObject[]
  /** The other records of the page, asked for only where they matter. */
  readonly known: () => readonly JsonObject[]
  /** How many rows the page has, those that cannot be understood among them. */
  readonly rows: number
  /** How many rows the page had when its last answer was judged, which showed all that are known; null: it was not. */
  readonly rowsBefore: number | null
  readonly fields: FieldTree
  readonly ignore: readonly string[]
  /** Absorbed before. */
  readonly absorbed: readonly string[]
}

/**
 * The fields outside the interface that a page shows to be the platform's doing rather than a record's (guarantee D8): on at
 * least ten records and half of the rows. JSON Pointers with `*` for elements, without those absorbed before.
 *
 * What is known need not be looked into where no other row has such a field: none is on more of those rows than when the page
 * was last judged, when each was on too few, and of no fewer rows.
 */
export function driftedPaths(input: DriftInput): readonly string[] {
  const { absorbed, known, news, rows, rowsBefore } = input
  const counts = new Map<string, number>()
  count(input, news, counts)
  if (rowsBefore === null || rowsBefore > rows || counts.size > 0) count(input, known(), counts)
  const least = Math.max(LEAST_RECORDS, rows / 2)
  const drifted = [...counts].filter(([, each]) => each >= least)
  const room = Math.max(0, MOST_ABSORBED - absorbed.length)
  return drifted.map(([path]) => path).slice(0, room)
}

function count(input: DriftInput, records: readonly JsonObject[], counts: Map<string, number>): void {
  const { absorbed, fields, ignore, resource } = input
  const view = comparedView(RESOURCE_RULES[resource].shape, ignore)
  for (const record of records) {
    if (nestsDeeperThan(record, DEEPEST)) continue
    for (const path of foreignPaths(view.of(record), fields)) {
      if (!absorbed.includes(path)) counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
}

/** Longer paths come from no interface: they ring as the change of one record, never as drift. */
const LONGEST = 300

/**
 * The fields of a record that the interface does not name and that hold a value, as JSON Pointers with `*` for elements of
 * arrays; what lies inside such a field belongs to it. Ids of shipments are called differently on every platform (guarantee
 * D11) and are no drift.
 */
function foreignPaths(record: JsonObject, tree: FieldTree): ReadonlySet<string> {
  if (!holdsForeign(record, tree)) return NONE
  const paths = new Set<string>()
  collect(record, { tree, path: '' }, paths)
  return paths
}

/** Whether there is anything to collect. Hardly ever, and so paths are put together only where there is. */
function holdsForeign(value: Json, tree: FieldTree): boolean {
  if (isJsonArray(value)) {
    const { elements } = tree
    return elements !== null && value.some((element) => holdsForeign(element, elements))
  }
  if (!isJsonObject(value) || tree.fields.size === 0) return false
  for (const name in value) {
    const each = value[name] ?? null
    const known = tree.fields.get(name)
    if (known === undefined) {
      if (isForeign(name) && saysSomething(each)) return true
    } else if (typeof each === 'object' && holdsForeign(each, known)) return true
  }
  return false
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
    if (known !== undefined && typeof each !== 'object') continue
    if (known !== undefined) collect(each, { tree: known, path: below(path, name) }, paths)
    else if (isForeign(name) && saysSomething(each)) paths.add(below(path, name))
  }
}

function below(path: string, name: string): string {
  return path + formatPointer([name])
}

/** A field whose name is the sign for any element would be taken for it. */
export function isForeign(name: string): boolean {
  return name !== ANY_ELEMENT && name.length <= LONGEST && !name.endsWith('_shipment_id')
}
