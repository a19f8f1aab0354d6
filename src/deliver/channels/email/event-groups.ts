import type { Severity } from '../../../model/severity.ts'
import { textField } from '../../../model/json.ts'
import { netLines, type NetLine } from './net-effect.ts'
import { settlesDue, type RenderedEvent } from './rendered-event.ts'

const FALLING_DUE: ReadonlySet<string> = new Set(['invoice.due_soon', 'invoice.due', 'invoice.overdue'])

/** The date on which the subject of an event falls due (`2026-12-01`); null: on none. */
function dueDateOf({ event }: RenderedEvent): string | null {
  return FALLING_DUE.has(event.type) ? textField(event.extras, 'due_date') : null
}

/** What became of one subject. */
export interface EventGroup {
  readonly lines: readonly [NetLine, ...NetLine[]]
  /** The gravest among them. */
  readonly tone: Severity
  /** When the record falls due; null where it does not, or no longer. */
  readonly due: string | null
}

const GRAVITY: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, good: 2, neutral: 3 }

/** By shipment or other subject: first what falls due, the earliest first, then the gravest first, then as it happened. */
export function groupEvents(events: readonly RenderedEvent[]): readonly EventGroup[] {
  return [...Map.groupBy(events, subjectOf).values()].flatMap(groupOf).sort(byUrgency)
}

/** A shipment and its tracking are one. */
function subjectOf({ event: { account, subject } }: RenderedEvent): string {
  const resource = subject.resource === 'tracking' ? 'shipment' : subject.resource
  return JSON.stringify([account, resource, subject.id])
}

function groupOf(events: readonly RenderedEvent[]): readonly EventGroup[] {
  const [first, ...rest] = netLines(events).toSorted((a, b) => GRAVITY[a.tone] - GRAVITY[b.tone])
  if (first === undefined) return []
  const lastDue = events.findLast((event) => dueDateOf(event) !== null || settlesDue(event))
  return [{ lines: [first, ...rest], tone: first.tone, due: lastDue === undefined ? null : dueDateOf(lastDue) }]
}

function byUrgency(a: EventGroup, b: EventGroup): number {
  if (a.due !== null && b.due !== null) return a.due < b.due ? -1 : a.due > b.due ? 1 : 0
  if (a.due !== null || b.due !== null) return a.due !== null ? -1 : 1
  return GRAVITY[a.tone] - GRAVITY[b.tone]
}
