import type { Message } from '../../../message/message.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { textField } from '../../../model/json.ts'

/** An event and what people read of it. */
export interface RenderedEvent {
  readonly event: ShipbellEvent
  readonly message: Message
}

/** Whether an event says that something is no longer due. */
export function settlesDue({ event }: Pick<RenderedEvent, 'event'>): boolean {
  if (event.type === 'invoice.overdue_cleared' || event.type === 'invoice.removed') return true
  return event.type === 'invoice.status_changed' && textField(event.extras, 'to') === 'paid'
}
