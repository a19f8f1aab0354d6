import { textField } from '../../../model/json.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { Message } from '../../../message/message.ts'

/** An event and what people read of it. */
export interface RenderedEvent {
  readonly event: ShipbellEvent
  readonly message: Message
}

const FALLING_DUE: ReadonlySet<string> = new Set(['invoice.due_soon', 'invoice.due', 'invoice.overdue'])

/** When what an event tells falls due (`2026-12-01`); null where nothing does. */
export function dueDateOf({ event }: RenderedEvent): string | null {
  return FALLING_DUE.has(event.type) ? textField(event.extras, 'due_date') : null
}

/** Whether an event tells that what was due no longer is. */
export function settlesDue({ event }: RenderedEvent): boolean {
  if (event.type === 'invoice.overdue_cleared' || event.type === 'invoice.removed') return true
  return event.type === 'invoice.status_changed' && textField(event.extras, 'to') === 'paid'
}
