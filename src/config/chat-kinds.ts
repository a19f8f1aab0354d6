import { z } from 'zod'
import type { MessageTemplates } from '../model/message-template.ts'
import type { LeftOut } from '../model/omit.ts'
import type { BodyTemplate } from '../model/request-body.ts'
import type {
  ChannelSettings,
  DeliveryOrder,
  GoogleChatChannel,
  MailServer,
  MattermostChannel,
  PostedChat,
  RocketchatChannel,
  SlackChannel,
  Subscription,
  TeamsChannel,
} from '../model/subscription.ts'
import { httpUrl, proxyKeys, proxyMisfit, proxyOf, proxySecrets, type ProxyKeys } from './addresses.ts'
import { postingSecrets } from './channel-secrets.ts'
import { forPeople, peoples, type PeoplesKeys } from './people-keys.ts'
import { SLACK_API, slackKeys } from './slack-keys.ts'

/** The key of a chat. */
function hook(of: string, says: string) {
  return z
    .strictObject({ url: httpUrl.describe(`${of}; a secret, since whoever knows it may post.`) })
    .optional()
    .describe(says)
}

/** Chats show messages in the order in which they come, and take about one a second. */
function inTurn(key: string): Readonly<Record<string, string>> {
  return { concurrency: `\`concurrency\` is not for \`${key}\`: its messages go one after another` }
}

const chatKeys = { ...forPeople, ...proxyKeys }

interface ChatKeys extends PeoplesKeys, ProxyKeys {
  readonly timeout: number
}

function posted(url: string, keys: ChatKeys, { templates }: Surroundings): PostedChat {
  const proxy = proxyOf(keys)
  const hidden = [...postingSecrets(url), ...proxySecrets(proxy)]
  return { url, proxy, ...peoples(keys, templates), hidden, timeoutMs: keys.timeout, concurrency: 1 }
}

export const slack = configuredKind({
  chosenBy: {
    slack: slackKeys.optional().describe('Slack messages instead of webhooks; many events that come together in one.'),
  },
  own: chatKeys,
  refuses: inTurn('slack'),
  build: ({ slack: chosen, ...keys }, around): SlackChannel | null => {
    if (chosen?.url !== undefined) return { kind: 'slack', ...posted(chosen.url, keys, around) }
    const { token, channel, api_url: url = SLACK_API, signing_secret: signingSecret = null } = chosen ?? {}
    if (token === undefined || channel === undefined) return null
    const secrets = signingSecret === null ? [token] : [token, signingSecret]
    const { hidden, ...posting } = posted(url, keys, around)
    // The address of the API is none of the secrets.
    const others = hidden.filter((secret) => !postingSecrets(url).includes(secret))
    return { kind: 'slack', ...posting, hidden: [...secrets, ...others], app: { token, channel, signingSecret } }
  },
  misfit: proxyMisfit,
  dials: { at: ({ app }) => ['slack', app === undefined ? 'url' : 'api_url'], url: ({ url }) => url },
})

export const teams = configuredKind({
  chosenBy: {
    teams: hook(
      'The webhook of a workflow of Microsoft Teams',
      'Cards in Microsoft Teams instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('teams'),
  build: ({ teams: chosen, ...keys }, around): TeamsChannel | null =>
    chosen === undefined ? null : { kind: 'teams', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['teams', 'url'], url: ({ url }) => url },
})

export const googleChat = configuredKind({
  chosenBy: {
    google_chat: hook(
      'The incoming webhook of a space of Google Chat',
      'Cards in Google Chat instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('google_chat'),
  build: ({ google_chat: chosen, ...keys }, around): GoogleChatChannel | null =>
    chosen === undefined ? null : { kind: 'google_chat', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['google_chat', 'url'], url: ({ url }) => url },
  // What Google takes for a space, whoever posts there.
  rate: { requests: 1, perMs: 1_000 },
})

export const mattermost = configuredKind({
  chosenBy: {
    mattermost: hook(
      'The incoming webhook of a Mattermost server',
      'Mattermost messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('mattermost'),
  build: ({ mattermost: chosen, ...keys }, around): MattermostChannel | null =>
    chosen === undefined ? null : { kind: 'mattermost', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['mattermost', 'url'], url: ({ url }) => url },
})

export const rocketchat = configuredKind({
  chosenBy: {
    rocketchat: hook(
      'The incoming webhook of a Rocket.Chat server',
      'Rocket.Chat messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('rocketchat'),
  build: ({ rocketchat: chosen, ...keys }, around): RocketchatChannel | null =>
    chosen === undefined ? null : { kind: 'rocketchat', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['rocketchat', 'url'], url: ({ url }) => url },
})

/** The keys that every subscription has and that channels look at. */
export interface CommonKeys {
  readonly timeout: number
  readonly concurrency: number
  readonly order: DeliveryOrder
  readonly omit: LeftOut
}

/** What of the rest of the file goes into a channel. */
export interface Surroundings {
  /** Where mail goes, and how. */
  readonly mailServer: MailServer
  readonly templates: MessageTemplates
  /** Where the admin interface is reached; null or left out: it is not said. */
  readonly publicUrl?: string | null
  /** The template of `body`; null or left out: it has none. */
  readonly body?: BodyTemplate | null
  /** What came from variables and files below a key of the subscription. */
  readonly drawn: (key: string) => readonly string[]
  /** The networks that may be dialled beside public addresses for a subscription made at run time; left out: it is none. */
  readonly untrusted?: { readonly networks: readonly string[] } | undefined
}

interface Misfit {
  /** The key at which it is reported. */
  readonly key: string
  readonly message: string
}

/** Which keys go with one key of a channel. */
interface KeyRules<T extends z.ZodRawShape = z.ZodRawShape> {
  readonly key: string
  /** Keys that mean something for the channel only beside it: optional, or with a default. */
  readonly takes: T
  /** Keys of the channel that are not for it, each with the sentence that refuses it. */
  readonly refuses: Readonly<Record<string, string>>
  /** Keys that the channel needs otherwise. */
  readonly spares: readonly string[]
}

/** What may be known of a kind of channel without knowing its keys. */
export interface KindRules<S extends ChannelSettings> {
  /** The key of a subscription that chooses it: one, optional. */
  readonly chosenBy: z.ZodRawShape
  /** The keys that mean something for it, beside those of every subscription: optional, or with a default. */
  readonly own: z.ZodRawShape
  /** The channel's own keys that must be there. */
  readonly needs?: readonly string[]
  /** Keys of every subscription that are not for this kind, each with the sentence that refuses it. */
  readonly refuses?: Readonly<Record<string, string>>
  /** What holds beside one of its own keys. */
  readonly beside?: KeyRules
  /** A key of the top level without which it cannot be, with the sentence that asks for it. */
  readonly relies?: Misfit
  /** What a subscription names for it to dial, and where below the subscription; null where the guard has no say. */
  readonly dials: {
    readonly at: readonly string[] | ((channel: S) => readonly string[])
    readonly url: (channel: S) => string
  } | null
  /** How fast the channel is tried where the subscription says nothing of that; left out: as fast as it goes. */
  readonly rate?: Subscription['rate']
}

/** What keys are read as; of no keys, anything. */
export type OutputOf<S extends z.ZodRawShape> = keyof S extends never ? unknown : z.output<z.ZodObject<S>>

/** A kind of channel as the configuration knows it: its keys, its rules, and the settings that come of them. */
export interface ConfiguredKind<
  S extends ChannelSettings,
  C extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodRawShape,
> extends KindRules<S> {
  readonly chosenBy: C
  readonly own: O
  readonly beside?: KeyRules<B>
  /** The settings; null where the keys do not choose this kind. */
  readonly build: (keys: CommonKeys & OutputOf<C> & OutputOf<O> & OutputOf<B>, around: Surroundings) => S | null
  /** A rule between keys that does not hold, judged where every single key is right. */
  readonly misfit?: (keys: CommonKeys & OutputOf<C> & OutputOf<O>) => Misfit | null
}

/** Infers what a kind is made of. */
export function configuredKind<
  S extends ChannelSettings,
  C extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodRawShape = O,
>(kind: ConfiguredKind<S, C, O, B>): ConfiguredKind<S, C, O, B> {
  return kind
}
