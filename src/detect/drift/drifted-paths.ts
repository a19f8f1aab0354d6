import type { FieldTree } from '../../model/field-tree.ts'
import { unreadableDueDate } from '../../model/invoice.ts'
import { field, isJsonArray, isJsonObject, nestsDeeperThan, type Json, type JsonObject } from '../../model/json.ts'
import { formatPointer, parsePointer } from '../../model/pointer.ts'
import type { RecordMemory } from '../../model/record-state.ts'
import { RESOURCES, type RecordResource } from '../../model/resource.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import { DEEPEST, type DetectInput } from '../detect-input.ts'
import { comparedView } from '../ignore/compared-view.ts'
import { RESOURCE_RULES } from '../resource-rules.ts'

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
 *
 * One record a step: those of a large page take long.
 */
export function* driftedPaths(input: DriftInput): Generator<undefined, readonly string[]> {
  const { absorbed, known, news, rows, rowsBefore } = input
  const counts = new PathCounts()
  yield* count(input, news, counts)
  if (rowsBefore === null || rowsBefore > rows || !counts.isEmpty) yield* count(input, known(), counts)
  const least = Math.max(LEAST_RECORDS, rows / 2)
  const room = Math.max(0, MOST_ABSORBED - absorbed.length)
  return counts.onAtLeast(least).slice(0, room)
}

function* count(input: DriftInput, records: readonly JsonObject[], counts: PathCounts): Generator<undefined, void> {
  const { absorbed, fields, ignore, resource } = input
  const view = comparedView(RESOURCE_RULES[resource].shape, ignore)
  for (const record of records) {
    if (!nestsDeeperThan(record, DEEPEST))
      counts.add([...foreignPaths(view.of(record), fields)].filter((path) => !absorbed.includes(path)))
    yield
  }
}

/** More paths than that are no interface's: those on less than half of the records so far are forgotten. */
const MOST_PATHS = 50_000

/** On how many records of a page each path is. */
class PathCounts {
  readonly #counts = new Map<string, number>()
  #records = 0

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** The paths of one record. */
  add(paths: readonly string[]): void {
    this.#records += 1
    for (const path of paths) this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1)
    if (this.#counts.size <= MOST_PATHS) return
    for (const [path, each] of this.#counts) if (2 * each < this.#records) this.#counts.delete(path)
  }

  onAtLeast(least: number): readonly string[] {
    return [...this.#counts].filter(([, each]) => each >= least).map(([path]) => path)
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
function isForeign(name: string): boolean {
  return name !== ANY_ELEMENT && name.length <= LONGEST && !name.endsWith('_shipment_id')
}

/** Two readings of a record, and the paths that are absorbed. */
export interface Absorption {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly absorbed: readonly string[]
  readonly memory: RecordMemory
}

/** The leaves without those that are a record's first value of an absorbed field. */
export function withoutFirstValues(leaves: readonly LeafChange[], input: Absorption): readonly LeafChange[] {
  const { absorbed, before, memory } = input
  if (absorbed.length === 0 || leaves.length === 0) return leaves
  const unheld = absorbed
    .filter((path) => memory.lostFields?.includes(path) !== true)
    .map(parsePointer)
    .filter((steps) => !saysSomethingAt(before, steps))
  return leaves.filter(({ path }) => !unheld.some((steps) => leadsTo(steps, parsePointer(path))))
}

/** Remembers the absorbed fields that a record had and has no longer: their next value is not the first. */
export function rememberLostFields({ absorbed, after, before, memory }: Absorption): RecordMemory {
  const known = memory.lostFields ?? []
  const lost = absorbed.filter((path) => {
    if (known.includes(path)) return false
    const steps = parsePointer(path)
    return saysSomethingAt(before, steps) && !saysSomethingAt(after, steps)
  })
  return lost.length === 0 ? memory : { ...memory, lostFields: [...known, ...lost] }
}

function leadsTo(steps: readonly string[], path: readonly string[]): boolean {
  return steps.length <= path.length && steps.every((step, index) => step === ANY_ELEMENT || step === path[index])
}

/** Stands for any element of an array. */
const ANY_ELEMENT = '*'

/** Whether a value says anything: null, '' and what is empty or holds nothing else is as good as missing (guarantee D2). */
function saysSomething(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.some(saysSomething)
  if (isJsonObject(value)) return Object.values(value).some(saysSomething)
  return value !== undefined && value !== null && value !== ''
}

/** Whether a record says something at a path, in any element where the path runs through arrays. */
function saysSomethingAt(value: Json | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return saysSomething(value)
  if (step !== ANY_ELEMENT) return saysSomethingAt(field(value, step), rest)
  return isJsonArray(value) && value.some((element) => saysSomethingAt(element, rest))
}

const LONGEST_NAME = 60
const LONGEST_VALUE = 60

/**
 * Why a reading of a known record is not believed: it lost a part that the interface names (an object or a list), or all that the
 * interface names but its identifier, and has a field in its place that the interface does not name, as an error has. null:
 * nothing speaks against it. An empty part is the platform's word that nothing is there.
 */
export function lostPart(
  {
    absorbed = [],
    after,
    before,
    ignore,
    resource,
  }: Pick<DetectInput, 'absorbed' | 'after' | 'before' | 'ignore' | 'resource'>,
  { fields }: FieldTree,
): string | null {
  if (before?.seen == null || after === null || before.removedAt !== null) return null
  const known = before.seen
  const names = (name: string): boolean => fields.has(name) && !identifies(name, resource)
  const isBare = !Object.keys(after).some((name) => names(name) && saysSomething(after[name]))
  const isLost = (name: string): boolean =>
    (after[name] ?? null) === null && names(name) && (isBare ? saysSomething(known[name]) : isPart(known, name))
  if (!Object.keys(known).some(isLost)) return null
  const view = comparedView(RESOURCE_RULES[resource].shape, ignore)
  const [was, is] = [view.of(known), view.of(after)]
  const lost = Object.keys(was).find(isLost)
  const foreign = Object.keys(is).find(
    (name) =>
      !fields.has(name) &&
      isForeign(name) &&
      !absorbed.includes(formatPointer([name])) &&
      saysSomething(is[name]) &&
      !saysSomething(was[name]),
  )
  if (lost === undefined || foreign === undefined) return null
  const [gone, instead] = [formatPointer([lost]), formatPointer([foreign.slice(0, LONGEST_NAME)])]
  return `${gone} is gone, and ${instead} is there, which the interface does not name: the record as it was last read stands.`
}

function identifies(name: string, resource: RecordResource): boolean {
  const { idField } = RESOURCES[resource]
  return idField === 'shipment' ? name.endsWith('_shipment_id') : name === idField
}

function isPart(record: JsonObject, name: string): boolean {
  return typeof record[name] === 'object' && saysSomething(record[name])
}

/** What of a record cannot be read although the record is followed, as a sentence; null: nothing. */
export function flawOf(resource: RecordResource, record: JsonObject): string | null {
  if (resource !== 'invoice') return null
  const dueDate = unreadableDueDate(record)
  if (dueDate === null) return null
  const shown = JSON.stringify(dueDate).slice(0, LONGEST_VALUE)
  return `/due_date should be a date (YYYY-MM-DD), but is ${shown}: the last one that could be read holds.`
}
