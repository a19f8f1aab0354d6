import type { EmailChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { messageRenderer } from '../message-renderer.ts'
import { EmailSender } from './email-sender.ts'
import { mailOf } from './mail-of.ts'

export const EMAIL: ChannelKindOf<EmailChannel> = {
  open: (channel, context) => new EmailSender(channel, context),
  preview: (channel, batch, context) => {
    const { subject, text, html } = mailOf(batch, { ...channel, render: messageRenderer(channel, context) })
    return { text: `Subject: ${subject}\n\n${text}`, body: { subject, text, html }, html }
  },
  tellsAsOne: ({ digest }) => digest !== null,
}
