import { factLine } from '../../../message/facts/fact.ts'
import type { SlackChannel } from '../../../model/subscription.ts'
import type { Batch } from '../../batches.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { messageRenderer, type RenderMessage } from '../message-renderer.ts'
import { SlackSender, slackMessage } from './slack-sender.ts'

export const SLACK: ChannelKindOf<SlackChannel> = {
  open: (channel, context) => new SlackSender(channel, context),
  preview: (channel, batch, context) => {
    const render = messageRenderer(channel, context)
    return { text: asText(batch, render), body: JSON.parse(JSON.stringify(slackMessage(batch, render))), html: null }
  },
}

function asText(batch: Batch, render: RenderMessage): string {
  const messages = batch.map(({ event }) => render(event))
  return messages.map(({ sentence, facts }) => [sentence, ...facts.map(factLine)].join('\n')).join('\n\n')
}
