import { factLine } from '../../../message/facts/fact.ts'
import type { SlackChannel } from '../../../model/subscription.ts'
import type { Parcel } from '../../parcels.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { tellerOf, type Tell } from '../teller.ts'
import { SlackSender, slackMessage } from './slack-sender.ts'

export const SLACK: ChannelKindOf<SlackChannel> = {
  open: (channel, context) => new SlackSender(channel, context),
  preview: (channel, parcel, context) => {
    const tell = tellerOf(channel, context)
    return { text: asText(parcel, tell), body: JSON.parse(JSON.stringify(slackMessage(parcel, tell))), html: null }
  },
}

function asText(parcel: Parcel, tell: Tell): string {
  const messages = parcel.map(({ event }) => tell(event))
  return messages.map(({ sentence, facts }) => [sentence, ...facts.map(factLine)].join('\n')).join('\n\n')
}
