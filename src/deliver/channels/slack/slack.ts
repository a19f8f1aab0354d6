import type { SlackChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { burstMessage } from './burst-message.ts'
import { eventMessage } from './event-message.ts'
import { judgeSlackAnswer } from './judge-slack-answer.ts'

/** Block Kit to an incoming webhook. */
export const SLACK: ChannelKindOf<SlackChannel> = chatKind({ eventMessage, burstMessage, judge: judgeSlackAnswer })
