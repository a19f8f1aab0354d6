import { formatDuration } from '../model/duration.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { stylist, terminalText, type Paint, type Style } from './terminal.ts'

const WARN = 40
const ERROR = 50

/** Says what a line is about, without a name of its own. */
const ABOUT = ['account', 'resource', 'subscription', 'type'] as const
/** What people look at last, as sentences. */
const SAID = ['error', 'reason', 'problem', 'problems', 'hint', 'next'] as const
/** Fields of no use to a person who reads along: the event's id finds the delivery. */
const LEFT_OUT = new Set<string>(['time', 'level', 'msg', 'delivery', ...ABOUT, ...SAID])

const NAME_WIDTH = 19

/** What makes lines for people of JSON lines of the log: time, name, what it is about, figures, and sentences at the end. */
export function logLines({ colour }: { readonly colour: boolean }): (line: string) => string {
  const paint = stylist(colour)
  return (line) => {
    const fields: Json = JSON.parse(line)
    return isJsonObject(fields) ? `${lineOf(fields, paint)}\n` : line
  }
}

function lineOf(fields: JsonObject, paint: Paint): string {
  const style = styleOf(Number(fields.level))
  const about = ABOUT.flatMap((key) => textOf(fields[key]) ?? [])
  const figures = Object.entries(fields).flatMap(([key, value]) => (LEFT_OUT.has(key) ? [] : figuresOf(key, value)))
  const said = SAID.flatMap((key) => textOf(fields[key]) ?? [])
  const name = textOf(fields.msg) ?? ''
  const space = ' '.repeat(Math.max(NAME_WIDTH - name.length, 0))
  const parts = [
    paint('dim', timeOf(Number(fields.time))),
    (style === null ? name : paint(style, name)) + space,
    about.join(' '),
    paint('dim', figures.join(', ')),
    said.join('; '),
  ]
  return parts
    .filter((part) => part !== '')
    .join('  ')
    .trimEnd()
}

function styleOf(level: number): Style | null {
  if (level >= ERROR) return 'red'
  return level >= WARN ? 'yellow' : null
}

/** `08:00:02`, as the clock on the wall shows it. */
function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/** Nothing where there is nothing to say: null, zero, an empty text. */
function figuresOf(key: string, value: Json | undefined): readonly string[] {
  const name = terminalText(key.replace(/_(?:ms|seconds)$/, '').replaceAll('_', ' '))
  if (typeof value === 'boolean') return [value ? name : `not ${name}`]
  if (value === 0) return []
  if (typeof value === 'number' && key === 'duration_ms') return [`in ${formatDuration(value)}`]
  if (typeof value === 'number' && key.endsWith('_ms')) return [`${name} ${formatDuration(value)}`]
  if (isJsonObject(value)) return Object.entries(value).flatMap(([inner, each]) => figuresOf(`${key}_${inner}`, each))
  const text = textOf(value)
  return text === null ? [] : [`${name} ${text}`]
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((each) => textOf(each) ?? '–').join(', ')
  return terminalText(typeof value === 'string' ? value : JSON.stringify(value))
}
