import { messageOf, type Message } from '../../message/message.ts'
import { moment } from '../../message/words/moment.ts'
import { wordingOf } from '../../message/wording/wording.ts'
import { asStarted } from '../../invocation.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import { formatInstant } from '../../model/instant.ts'
import type { MessageTemplate, TemplateFailure } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import type { PeoplesChannel } from '../../model/subscription.ts'
import type { ChannelContext } from './channel.ts'

/** What a message takes from the surroundings of its channel. */
export type MessageContext = Pick<ChannelContext, 'links' | 'templateFailed' | 'zoneOf'>

/** An event as the readers of a channel see it. */
export type RenderMessage = (event: ShipbellEvent) => Message

/**
 * Renders the events of one message with a channel's templates, in the language of its readers, dates on their clocks. If a template fails, the built-in message takes its place and
 * `templateFailed` is called. A template that passed a bound is not tried again: nothing else happens in this process while it
 * runs, and a message may hold thousands of events.
 */
export function messageRenderer(
  channel: Pick<PeoplesChannel, 'templates' | 'language' | 'timeZone'>,
  { links, templateFailed, zoneOf }: MessageContext,
): RenderMessage {
  const slow = new Set<MessageTemplate>()
  const usable = (type: string): MessageTemplate | undefined => {
    const template = channel.templates.get(type)
    return template === undefined || slow.has(template) ? undefined : template
  }
  const failed = (failure: TemplateFailure): void => {
    if (failure.bound) slow.add(failure.template)
    templateFailed?.(failure)
  }
  return (event) => {
    const timeZone = zoneFor(channel, event.account, zoneOf)
    const wording = wordingOf({ language: channel.language, timeZone })
    const message = messageOf(fullPayload(event), { templates: { get: usable }, failed, wording, commands: asStarted })
    const known = event.cause === 'test' ? [] : (links?.(event) ?? [])
    return {
      ...message,
      links: known.map((link) => ({ ...link, label: wording.terms.links[link.to] })),
    }
  }
}

/** When an event was seen, as each message of a channel says it, by whatever template. */
export function seenAt(
  channel: Pick<PeoplesChannel, 'language' | 'timeZone'>,
  { account, timestamp }: Pick<ShipbellEvent, 'account' | 'timestamp'>,
  zoneOf: ChannelContext['zoneOf'],
): string {
  const timeZone = zoneFor(channel, account, zoneOf)
  return moment(formatInstant(timestamp), wordingOf({ language: channel.language, timeZone }))
}

/** The clock on which readers of a channel see what happens to an account. */
export function zoneFor(
  { timeZone }: Pick<PeoplesChannel, 'timeZone'>,
  account: string | null,
  zoneOf: ChannelContext['zoneOf'],
): string {
  return timeZone ?? zoneOf?.(account) ?? 'UTC'
}
