import type { MattermostChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { attachmentMessages } from '../chat/attachment-message.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { markdownText } from '../chat/markdown-text.ts'

/** docs.mattermost.com/end-user-guide/collaborate/format-messages.html */
const ESCAPABLE = new Set(['\\', '`', '*', '_', '[', ']', '#', '~', '|', '>'])

const MATTERMOST_MESSAGES = attachmentMessages(markdownText(ESCAPABLE))

/** Text and attachments to an incoming webhook. */
export const MATTERMOST: ChannelKindOf<MattermostChannel> = chatKind(MATTERMOST_MESSAGES)
