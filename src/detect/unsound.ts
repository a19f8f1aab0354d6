import type { FieldTree } from '../model/field-tree.ts'
import { unreadableDueDate } from '../model/invoice.ts'
import type { JsonObject } from '../model/json.ts'
import { formatPointer } from '../model/pointer.ts'
import type { RecordResource } from '../model/resource.ts'
import type { DetectInput } from './detect-input.ts'
import { isForeign } from './drift/drifted-paths.ts'
import { saysSomething } from './drift/first-values.ts'
import { comparedView } from './ignore/compared-view.ts'
import { RESOURCE_RULES } from './resource-rules.ts'

const LONGEST_NAME = 60
const LONGEST_VALUE = 60

/**
 * Why a reading of a known record is not believed: it lost a part that the interface names (an object or a list), and has a
 * field in its place that the interface does not name, as an error has. null: nothing speaks against it. An empty part is the
 * platform's word that nothing is there.
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
  const isLost = (name: string): boolean => (after[name] ?? null) === null && isPart(known, name) && fields.has(name)
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
