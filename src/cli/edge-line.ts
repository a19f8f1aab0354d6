import { formatDuration } from '../model/duration.ts'
import { textField, type JsonObject } from '../model/json.ts'

const MINUTE_MS = 60_000

const PARTS = [
  ['due_date', (value: string) => `due date ${value}`],
  ['lead', (value: string) => `lead ${value}`],
  ['milestone', (value: string) => `milestone ${value}`],
  ['date', (value: string) => `date ${value}`],
  ['time_zone', (value: string) => `days of ${value}`],
  ['at', (value: string) => `passed at ${value}`],
] as const

/** An edge of the calendar in one line for people. */
export function edgeLine(edge: JsonObject): string {
  const parts = PARTS.flatMap(([name, say]) => {
    const value = textField(edge, name)
    return value === null ? [] : [say(value)]
  })
  const lateBy = Number(textField(edge, 'late_by') ?? 0)
  const late = lateBy > 0 ? [`rang ${formatDuration(lateBy * MINUTE_MS)} later`] : []
  return `Edge ${textField(edge, 'rule') ?? ''}: ${[...parts, ...late].join(', ')}.`
}
