import { messageOf, type Message } from '../../message/message.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { MessageTemplate, MessageTemplates, TemplateFailure } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import type { ChannelContext } from './channel.ts'

/** An event as the readers of a channel see it. */
export type RenderMessage = (event: ShipbellEvent) => Message

/**
 * Renders the events of one message with a channel's templates. If a template fails, the built-in message takes its place and
 * `templateFailed` is called. A template that passed a bound is not tried again: nothing else happens in this process while it
 * runs, and a message may hold thousands of events.
 */
export function messageRenderer(
  { templates }: { readonly templates: MessageTemplates },
  { links, templateFailed }: Pick<ChannelContext, 'links' | 'templateFailed'>,
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
  return (event) => ({ ...messageOf(fullPayload(event), { get: usable }, failed), links: links?.(event) ?? [] })
}
