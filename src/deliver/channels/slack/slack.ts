import type { SlackChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { burstMessage } from './burst-message.ts'
import { eventMessage } from './event-message.ts'
import { judgeSlackAnswer } from './judge-slack-answer.ts'
import { GATHERED_BY_ACCOUNT, GATHERED_BY_KIND } from '../chat/gathering.ts'
import { LivingSender } from './living-sender.ts'
import { toldTogether } from './told-together.ts'

/** Block Kit to an incoming webhook. */
const HOOK: ChannelKindOf<SlackChannel> = chatKind({ eventMessage, burstMessage, judge: judgeSlackAnswer })

/** Block Kit, to an incoming webhook or as an app. */
export const SLACK: ChannelKindOf<SlackChannel> = {
  ...HOOK,
  open: (channel, context) =>
    channel.app === undefined ? HOOK.open(channel, context) : new LivingSender(channel, channel.app, context),
  refresh: async (channel, { events, message }, { context, signal }) => {
    const { app } = channel
    if (app === undefined || message.channel !== app.channel) return
    await using sender = new LivingSender(channel, app, context)
    await sender.refresh(message, events, signal)
  },
  batchPolicy: ({ app }) => (app === undefined ? GATHERED_BY_KIND : GATHERED_BY_ACCOUNT),
  messagesOf: ({ app }, batch) => (app === undefined ? 1 : toldTogether(batch).length),
  outline: (channel) => [
    ...HOOK.outline(channel),
    ...(channel.app === undefined ? [] : [{ name: 'Slack channel', value: channel.app.channel }]),
  ],
}
