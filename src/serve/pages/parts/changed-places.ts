import type { Change, LoggedEvent } from '../../../model/event.ts'
import { field, isJsonArray, isJsonObject, type Json } from '../../../model/json.ts'
import { parsePointer } from '../../../model/pointer.ts'
import { elementName } from '../../../message/words/element-name.ts'

/** A step into a record: a field, and where that is a list, which of its elements. */
export interface Step {
  readonly name: string
  /** What people call the element; null: the field is no list, or one of mere texts. */
  readonly element: string | null
  /** The element's place in the list; null: the field is no list. */
  readonly index: number | null
}

/** A change at a place that has a name. */
export interface PlacedChange extends Pick<Change, 'from' | 'to'> {
  readonly place: readonly Step[]
}

type Records = Pick<LoggedEvent, 'before' | 'object'>

/** Changes of an event, whose places are named by its records. */
export function placedChanges(changes: readonly Change[], records: Records): readonly PlacedChange[] {
  return changes.map((change) => ({ from: change.from, to: change.to, place: placeOf(change, records) }))
}

function placeOf({ path, removed }: Change, { before, object }: Records): readonly Step[] {
  const steps: Step[] = []
  let value: Json | undefined = (removed === true ? before : object) ?? undefined
  for (const token of parsePointer(path)) {
    const list = steps.at(-1)
    if (list !== undefined && list.index === null && /^\d+$/.test(token) && !isJsonObject(value)) {
      const index = Number(token)
      value = isJsonArray(value) ? value[index] : undefined
      steps.splice(-1, 1, { name: list.name, element: elementName(list.name, value) ?? placeText(value, index), index })
    } else {
      value = field(value, token)
      steps.push({ name: token, element: null, index: null })
    }
  }
  return steps
}

/** Whether two places are one: an element is the same wherever its list has it. */
export function placeKey(place: readonly Step[]): string {
  return JSON.stringify(place.map(({ element, index, name }) => [name, element ?? index]))
}

/** The place of an element that has no name; a mere text is told by its value. */
function placeText(element: Json | undefined, index: number): string | null {
  return element === undefined || isJsonObject(element) ? `#${index + 1}` : null
}
