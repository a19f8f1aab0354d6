import type { RocketchatChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { attachmentMessages } from '../chat/attachment-message.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { markdownText } from '../chat/markdown-text.ts'

/** The characters before which Rocket.Chat's parser (`@rocket.chat/message-parser`) takes a backslash. */
const ESCAPABLE = new Set(['*', '_', '~', '`', '#'])

const ROCKETCHAT_MESSAGES = attachmentMessages(markdownText(ESCAPABLE))

/** Text and attachments to an incoming webhook. */
export const ROCKETCHAT: ChannelKindOf<RocketchatChannel> = chatKind(ROCKETCHAT_MESSAGES)
