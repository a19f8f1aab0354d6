import { clockTime } from '../../model/daily-time.ts'
import type { ChannelKind, ChannelSettings } from '../../model/subscription.ts'
import { ONE_BY_ONE, type Batch, type BatchPolicy, type TellableDelivery } from '../batches.ts'
import type { ChannelFact, ChannelKindOf, PreviewContext, Preview, Refreshed, Refreshing } from './channel-kind.ts'
import type { Channel, ChannelContext } from './channel.ts'
import { EMAIL } from './email/email-sender.ts'
import { GOOGLE_CHAT } from './google-chat/google-chat.ts'
import { batchWithout, OmittingChannel } from './omitting-channel.ts'
import { MATTERMOST } from './mattermost/mattermost.ts'
import { PULL } from './pull/pull.ts'
import { ROCKETCHAT } from './rocketchat/rocketchat.ts'
import { SLACK } from './slack/slack.ts'
import { SVIX } from './svix/svix-sender.ts'
import { TEAMS } from './teams/teams.ts'
import { WEBHOOK } from './webhook/webhook-sender.ts'

/** Every kind of channel; a new one is a new line. */
const KINDS: { readonly [K in ChannelKind]: ChannelKindOf<ChannelSettings<K>> } = {
  webhook: WEBHOOK,
  slack: SLACK,
  teams: TEAMS,
  google_chat: GOOGLE_CHAT,
  mattermost: MATTERMOST,
  rocketchat: ROCKETCHAT,
  email: EMAIL,
  svix: SVIX,
  pull: PULL,
}

/** The channel of these settings. Opens no connection yet. */
export function openChannel<K extends ChannelKind>(channel: ChannelSettings<K>, context: ChannelContext): Channel {
  const opened = kindOf(channel).open(channel, context)
  return channel.omit === undefined ? opened : new OmittingChannel(opened, channel.omit)
}

/** What a channel would make of a batch; sends nothing. */
export function previewBatch<K extends ChannelKind>(
  channel: ChannelSettings<K>,
  batch: Batch,
  context: PreviewContext,
): Preview {
  return kindOf(channel).preview(
    channel,
    channel.omit === undefined ? batch : batchWithout(batch, channel.omit),
    context,
  )
}

/** Where and how a channel sends; nothing of it is secret. */
export function outlineOf<K extends ChannelKind>(channel: ChannelSettings<K>): readonly ChannelFact[] {
  const { proxy = null } = channel
  return [
    { name: 'Channel', value: channel.kind },
    ...kindOf(channel).outline(channel),
    ...(channel.omit === undefined ? [] : [{ name: 'Leaves out', value: channel.omit.join(', ') }]),
    ...(proxy === null ? [] : [{ name: 'Through the proxy', value: new URL(proxy.address).origin }]),
    ...readersOf(channel),
  ]
}

/** Whom it speaks to, where people read it. */
function readersOf(channel: ChannelSettings): readonly ChannelFact[] {
  if (!('language' in channel)) return []
  const { language, quiet, timeZone } = channel
  return [
    ...(language === 'en' ? [] : [{ name: 'Language', value: language }]),
    ...(timeZone === null ? [] : [{ name: 'Time zone', value: timeZone }]),
    ...(quiet === null
      ? []
      : [{ name: 'Quiet', value: `${clockTime(quiet.fromMinutes)} to ${clockTime(quiet.toMinutes)}` }]),
  ]
}

/** Shows a message that is kept up to date as it stands now. Throws where that was not done. */
export async function refreshMessage<K extends ChannelKind>(
  channel: ChannelSettings<K>,
  refreshed: Refreshed,
  how: Refreshing,
): Promise<void> {
  await kindOf(channel).refresh?.(channel, refreshed, how)
}

/** How the deliveries of a channel come together in messages, quiet hours aside. */
export function batchPolicyOf<K extends ChannelKind>(channel: ChannelSettings<K>): BatchPolicy {
  return kindOf(channel).batchPolicy?.(channel) ?? ONE_BY_ONE
}

/** Counts the messages in which a channel tells a batch; null: each batch is one, whatever is in it. */
export function messageCounter<K extends ChannelKind>(
  channel: ChannelSettings<K>,
): ((batch: Batch<TellableDelivery>) => number) | null {
  const { messagesOf } = kindOf(channel)
  return messagesOf === undefined ? null : (batch) => messagesOf(channel, batch)
}

/** Whether all that waits for a channel goes into one message. */
export function sendsAsOne<K extends ChannelKind>(channel: ChannelSettings<K>): boolean {
  return kindOf(channel).sendsAsOne?.(channel) ?? false
}

function kindOf<K extends ChannelKind>({ kind }: ChannelSettings<K>): ChannelKindOf<ChannelSettings<K>> {
  return KINDS[kind]
}
