import { factLine } from '../../message/facts/fact.ts'
import type { Json } from '../../model/json.ts'
import { payloadBody } from '../../model/payload.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { Parcel } from '../parcels.ts'
import type { ChannelContext } from './channel.ts'
import { mailOf } from './email/mail-of.ts'
import { slackMessage } from './slack/slack-sender.ts'
import { tellerOf, type Tell } from './teller.ts'

/** What one attempt would send. */
export interface Preview {
  /** As its reader sees it, in plain text of several lines. Values of records in it are as they are. */
  readonly text: string
  /** What goes over the wire: the body of a request, or the parts of a mail. */
  readonly body: Json
  /** The page of a mail; null where the channel sends none. */
  readonly html: string | null
}

/** What the channel of a subscription would make of a parcel; sends nothing. A new kind of channel is a new case. */
export function previewParcel(
  { channel }: Subscription,
  parcel: Parcel,
  context: Pick<ChannelContext, 'templateFailed'>,
): Preview {
  switch (channel.kind) {
    case 'webhook':
      return asDocument(JSON.parse(payloadBody(parcel[0].event, channel)))
    case 'svix':
      return asDocument(JSON.parse(payloadBody(parcel[0].event)))
    case 'slack': {
      const tell = tellerOf(channel, context)
      return { text: asText(parcel, tell), body: JSON.parse(JSON.stringify(slackMessage(parcel, tell))), html: null }
    }
    case 'email': {
      const { subject, text, html } = mailOf(parcel, { ...channel, tell: tellerOf(channel, context) })
      return { text: `Subject: ${subject}\n\n${text}`, body: { subject, text, html }, html }
    }
    default:
      return channel satisfies never
  }
}

function asDocument(body: Json): Preview {
  return { text: JSON.stringify(body, null, 2), body, html: null }
}

function asText(parcel: Parcel, tell: Tell): string {
  const messages = parcel.map(({ event }) => tell(event))
  return messages.map(({ sentence, facts }) => [sentence, ...facts.map(factLine)].join('\n')).join('\n\n')
}
