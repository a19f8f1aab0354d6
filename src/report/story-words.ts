import { formatDuration } from '../model/duration.ts'
import { eventTypeInfo } from '../model/event-catalogue.ts'
import { calendarEdge, ruleOf, type EventStory } from '../model/event-rule.ts'
import type { ShipbellEvent } from '../model/event.ts'
import { formatInstant } from '../model/instant.ts'
import { textField, type JsonObject } from '../model/json.ts'
import type { Provenance } from '../model/provenance.ts'

/** Why an event rang: when its type does, the rule that made it, the edge of the calendar. May hold what the platform said. */
export function whyWords({ event, provenance }: EventStory): readonly string[] {
  const rule = ruleOf(event, provenance)
  const when = eventTypeInfo(event.type)?.when ?? rule
  const edge = calendarEdge(event, provenance)
  return [when, ...(rule === when ? [] : [rule]), ...(edge === null ? [] : [edgeWords(edge)])]
}

/** Between which reads it happened. */
export function observedWords({ event, provenance }: EventStory): readonly string[] {
  return [observed(event), ...held(event, provenance)]
}

function observed({ changes, observed, timestamp, type }: ShipbellEvent): string {
  if (observed === null) return `It rang at ${formatInstant(timestamp)}.`
  const first = `It was first seen in an answer of ${formatInstant(observed.notAfter)}`
  if (observed.notBefore === null) return `${first}; nothing was read of it before.`
  const last = changes !== null ? 'with the old value' : type.endsWith('.removed') ? 'that showed it' : 'without it'
  return `${first}; the last read ${last} was sent at ${formatInstant(observed.notBefore)}.`
}

/** An event that rang after the read that showed its change first was held until then. */
function held({ observed }: ShipbellEvent, provenance: Provenance | null): readonly string[] {
  const answeredAt = provenance?.exchanges.at(-1)?.answeredAt
  if (observed === null || answeredAt === undefined || answeredAt <= observed.notAfter) return []
  return ['`settle` held it between that answer and the request above, which let it ring.']
}

const MINUTE_MS = 60_000

const PARTS = [
  ['due_date', (value: string) => `due date ${value}`],
  ['lead', (value: string) => `lead ${value}`],
  ['milestone', (value: string) => `milestone ${value}`],
  ['date', (value: string) => `date ${value}`],
  ['time_zone', (value: string) => `days of ${value}`],
  ['at', (value: string) => `passed at ${value}`],
] as const

/** An edge of the calendar in one sentence. */
function edgeWords(edge: JsonObject): string {
  const parts = PARTS.flatMap(([name, say]) => {
    const value = textField(edge, name)
    return value === null ? [] : [say(value)]
  })
  const lateBy = Number(textField(edge, 'late_by') ?? 0)
  const late = lateBy > 0 ? [`rang ${formatDuration(lateBy * MINUTE_MS)} later`] : []
  return `Edge ${textField(edge, 'rule') ?? ''}: ${[...parts, ...late].join(', ')}.`
}
