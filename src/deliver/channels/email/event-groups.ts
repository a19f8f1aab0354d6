import type { Message } from '../../../message/message.ts'
import type { Tone } from '../../../message/tone.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { textField } from '../../../model/json.ts'

/** An event and what people read of it. */
export interface RenderedEvent {
  readonly event: ShipbellEvent
  readonly message: Message
}

const FALLING_DUE: ReadonlySet<string> = new Set(['invoice.due_soon', 'invoice.due', 'invoice.overdue'])

/** The date on which the subject of an event falls due (`2026-12-01`); null: on none. */
function dueDateOf({ event }: RenderedEvent): string | null {
  return FALLING_DUE.has(event.type) ? textField(event.extras, 'due_date') : null
}

/** Whether an event says that something is no longer due. */
function settlesDue({ event }: RenderedEvent): boolean {
  if (event.type === 'invoice.overdue_cleared' || event.type === 'invoice.removed') return true
  return event.type === 'invoice.status_changed' && textField(event.extras, 'to') === 'paid'
}

/** What happened to one subject, oldest first. */
export interface EventGroup {
  readonly events: readonly [RenderedEvent, ...RenderedEvent[]]
  /** The gravest among them. */
  readonly tone: Tone
  /** When it falls due; null where it does not, or no longer. */
  readonly due: string | null
}

const GRAVITY: Readonly<Record<Tone, number>> = { critical: 0, warning: 1, good: 2, neutral: 3 }

/** By subject: first what falls due, the earliest first, then the gravest first, then as it happened. */
export function groupEvents(events: readonly RenderedEvent[]): readonly EventGroup[] {
  const bySubject = Map.groupBy(events, ({ event: { account, subject } }) =>
    JSON.stringify([account, subject.resource, subject.id]),
  )
  return [...bySubject.values()].flatMap(groupOf).sort(byUrgency)
}

function groupOf(events: readonly RenderedEvent[]): readonly EventGroup[] {
  const [first, ...rest] = events
  if (first === undefined) return []
  const tone = events.map(({ message }) => message.tone).reduce((a, b) => (GRAVITY[b] < GRAVITY[a] ? b : a))
  const lastDue = events.findLast((event) => dueDateOf(event) !== null || settlesDue(event))
  return [{ events: [first, ...rest], tone, due: lastDue === undefined ? null : dueDateOf(lastDue) }]
}

function byUrgency(a: EventGroup, b: EventGroup): number {
  if (a.due !== null && b.due !== null) return a.due < b.due ? -1 : a.due > b.due ? 1 : 0
  if (a.due !== null || b.due !== null) return a.due !== null ? -1 : 1
  return GRAVITY[a.tone] - GRAVITY[b.tone]
}
