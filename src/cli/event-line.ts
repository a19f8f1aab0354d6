import { asText, field, isJsonArray, textField, type Json } from '../model/json.ts'
import { terminalText } from './terminal-text.ts'

/** A payload of any format in one line for people: time, sequence, type, account, subject and what it says. Safe for a terminal. */
export function eventLine(payload: Json): string {
  const subject = field(payload, 'subject')
  const sequence = textField(payload, 'sequence')
  const parts = [
    textField(payload, 'timestamp') ?? textField(payload, 'time'),
    sequence === null ? null : `#${sequence}`,
    textField(payload, 'type') ?? '(no type)',
    textField(payload, 'account'),
    textField(subject, 'id') ?? asText(subject),
    essence(field(payload, 'data')),
  ]
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => terminalText(String(part)))
    .join('  ')
}

/** What changed, as short as it can be said; null where the type says it all. */
function essence(data: Json | undefined): string | null {
  const told = [
    part(data),
    dateChange(field(data, 'date_change')),
    fromTo(data),
    calendar(data),
    textField(data, 'reason'),
    baseline(data),
    otherChanges(data),
  ]
  return told.find((each) => each !== null) ?? null
}

function dateChange(change: Json | undefined): string | null {
  if (change === undefined) return null
  const shift = field(change, 'shift_minutes')
  const moved = typeof shift === 'number' && shift !== 0 ? ` (${duration(Math.abs(shift))} ${direction(change)})` : ''
  return `${trackingDate(field(change, 'from'))} → ${trackingDate(field(change, 'to'))}${moved}`
}

function direction(change: Json): string {
  return textField(change, 'direction') ?? ''
}

function trackingDate(value: Json | undefined): string {
  return [textField(value, 'date'), textField(value, 'status')].filter((each) => each !== null).join(' ') || '–'
}

function duration(minutes: number): string {
  const days = Math.floor(minutes / 1_440)
  const hours = Math.floor((minutes % 1_440) / 60)
  const rest = Math.round(minutes % 60)
  return [days > 0 ? `${days}d` : '', hours > 0 ? `${hours}h` : '', rest > 0 ? `${rest}m` : ''].join('')
}

function fromTo(data: Json | undefined): string | null {
  const from = field(data, 'from')
  const to = field(data, 'to')
  return from === undefined && to === undefined ? null : `${brief(from)} → ${brief(to)}`
}

/** The container or tracking event that it is about. */
function part(data: Json | undefined): string | null {
  const container = textField(field(data, 'container'), 'container_number')
  if (container !== null) return container
  const now = field(data, 'event')
  const event = asText(field(now, 'description')) === null ? field(data, 'previous_event') : now
  const told = [textField(event, 'description'), textField(event, 'date'), textField(event, 'status')]
  const text = told.filter((each) => each !== null).join(' ')
  return text === '' ? null : text
}

const CALENDAR = [
  ['days_left', (amount: string, data: Json) => `due in ${amount} days, ${textField(data, 'due_date') ?? '–'}`],
  ['days_overdue', (amount: string, data: Json) => `${amount} days overdue, ${textField(data, 'due_date') ?? '–'}`],
  ['slack_days', (amount: string) => `${amount} days of slack`],
  ['hours_late', (amount: string, data: Json) => `${textField(data, 'milestone') ?? ''} ${amount} hours late`],
] as const

/** What a date brought. */
function calendar(data: Json | undefined): string | null {
  for (const [name, say] of CALENDAR) {
    const amount = textField(data, name)
    if (amount !== null) return say(amount, data ?? null)
  }
  return null
}

function baseline(data: Json | undefined): string | null {
  const resource = textField(data, 'resource')
  const count = textField(data, 'count')
  return resource === null || count === null ? null : `${count} ${resource}`
}

function otherChanges(data: Json | undefined): string | null {
  const changes = field(data, 'changes')
  if (!isJsonArray(changes) || changes.length === 0) return null
  const [first] = changes
  const more = changes.length === 1 ? '' : ` (+${changes.length - 1})`
  return `${textField(first, 'path') ?? ''}: ${brief(field(first, 'from'))} → ${brief(field(first, 'to'))}${more}`
}

function brief(value: Json | undefined): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
