import { messageOf, type Message } from '../../message/message.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { MessageTemplates, TemplateFailure } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'

/** An event as a channel's readers are told of it. */
export type Tell = (event: ShipbellEvent) => Message

/** Tells events by a channel's templates; what they cannot tell is told by the built-in message, and `templateFailed` hears why. */
export function tellerOf(
  { templates }: { readonly templates: MessageTemplates },
  { templateFailed }: { readonly templateFailed?: (failure: TemplateFailure) => void },
): Tell {
  return (event) => messageOf(fullPayload(event), templates, templateFailed)
}
