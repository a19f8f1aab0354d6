import { messageOf, type Message } from '../../message/message.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { MessageTemplate, MessageTemplates, TemplateFailure } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'

/** An event as a channel's readers are told of it. */
export type RenderMessage = (event: ShipbellEvent) => Message

/**
 * Tells the events of one message by a channel's templates; what they cannot tell is told by the built-in message, and
 * `templateFailed` hears why. A template that passed a bound is tried no further: nothing else happens in this process while
 * it runs, and a message may tell thousands.
 */
export function messageRenderer(
  { templates }: { readonly templates: MessageTemplates },
  { templateFailed }: { readonly templateFailed?: (failure: TemplateFailure) => void },
): RenderMessage {
  const slow = new Set<MessageTemplate>()
  const usable = (type: string): MessageTemplate | undefined => {
    const template = templates.get(type)
    return template === undefined || slow.has(template) ? undefined : template
  }
  const failed = (failure: TemplateFailure): void => {
    if (failure.bound) slow.add(failure.template)
    templateFailed?.(failure)
  }
  return (event) => messageOf(fullPayload(event), { get: usable }, failed)
}
