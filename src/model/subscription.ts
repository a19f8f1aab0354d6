import type { DailyTime } from './daily-time.ts'
import type { JsonObject } from './json.ts'
import type { LeftOut } from './omit.ts'
import type { MessageTemplates } from './message-template.ts'
import type { PayloadShape } from './payload.ts'
import type { QuietHours } from './quiet-hours.ts'
import type { Language } from './reader.ts'
import type { RemindSettings } from './reminder.ts'
import type { RequestBody } from './request-body.ts'

/** A subscription, as configured (guarantee K3, `subscriptions.*`). Durations are milliseconds. */
export interface Subscription {
  readonly name: string
  /** Event patterns: exact, `prefix.*`, or `*`. */
  readonly events: readonly string[]
  /** The accounts whose events are wanted; null: all. */
  readonly accounts: readonly string[] | null
  readonly enabled: boolean
  /** What it is sent first, where the store has not had its name; left out: `live`. */
  readonly start?: SubscriptionStart
  /** The narrower token that made it at run time; null or left out: none did. */
  readonly owner?: string | null
  readonly order: DeliveryOrder
  /** At most `requests` attempts in any window of `perMs`; null: as many as there are. */
  readonly rate: { readonly requests: number; readonly perMs: number } | null
  /** `where`: which of the events it names are sent; null: all. */
  readonly filter: Filter | null
  /** How far a date must be from the one last sent for its change to be sent; null: however little. */
  readonly minShiftMs: number | null
  /** Which open exceptions it is told again; null or left out: none. */
  readonly remind?: RemindSettings | null
  /**
   * Hears also `endpoint.*` and `account.*` (but `account.baseline_completed`), whatever else it names: it is `delivery.alert`.
   */
  readonly alert: boolean
  readonly channel: ChannelSettings
}

/** `snapshot`: every known record, and what rings from then on. `live`: what rings. */
export const STARTS = ['live', 'snapshot'] as const
export type SubscriptionStart = (typeof STARTS)[number]

/** Every kind of channel, with what is configured of it. */
interface ChannelKinds {
  readonly webhook: WebhookChannel
  readonly slack: SlackChannel
  readonly teams: TeamsChannel
  readonly google_chat: GoogleChatChannel
  readonly mattermost: MattermostChannel
  readonly rocketchat: RocketchatChannel
  readonly email: EmailChannel
  readonly svix: SvixChannel
  readonly pull: PullChannel
}

export type ChannelKind = keyof ChannelKinds

/** The settings of a channel of these kinds; by default of any. */
export type ChannelSettings<K extends ChannelKind = ChannelKind> = {
  [P in K]: ChannelKinds[P] & { readonly kind: P }
}[K]

interface AnyChannel {
  /** What is left out of records before anything is made of an event; left out: nothing. */
  readonly omit?: LeftOut
  /** Deadline of one attempt. */
  readonly timeoutMs: number
  /** Attempts that may be under way at once. */
  readonly concurrency: number
  /** Everything of its configuration that an answer may echo but the ledger must not show. */
  readonly hidden: readonly string[]
  /** The proxy that leads to the server; left out or null: it is dialled from here. */
  readonly proxy?: ProxySettings | null
}

/** An HTTP proxy between Shipbell and what it reads or sends to. */
export interface ProxySettings {
  /** `http[s]://user:password@host:port` */
  readonly address: string
  /** Whether the proxy is asked also for a host whose name this machine cannot resolve, and so cannot judge. */
  readonly allowUnresolved: boolean
}

/** `subject`: the events of a subject one after another, each once the one before it has ended (guarantee S8). */
export const DELIVERY_ORDERS = ['none', 'subject'] as const
export type DeliveryOrder = (typeof DELIVERY_ORDERS)[number]

export interface WebhookChannel extends AnyChannel, PayloadShape {
  readonly kind: 'webhook'
  readonly url: string
  /** Each signs every attempt; two during a rotation: `whsec_…` and `whsk_…` of Standard Webhooks. None only beside `body`. */
  readonly secrets: readonly string[]
  /** How often it is told how far it is complete; left out: never. */
  readonly watermarkMs?: number
  readonly headers: Readonly<Record<string, string>>
  /** What is sent in place of payloads, signed only where there are secrets; left out: payloads are sent. */
  readonly body?: RequestBody
  /** How TLS is spoken; null: by the system's authorities, and without client certificate. */
  readonly tls: TlsSettings | null
  /**
   * Of a subscription made at run time: public addresses alone are dialled, by https, and others only in these networks (CIDRs). Of an
   * answer its status alone is kept. Left out: the file names the target.
   */
  readonly untrusted?: { readonly networks: readonly string[] }
}

/** A channel that is read by people. */
export interface PeoplesChannel extends AnyChannel {
  readonly templates: MessageTemplates
  readonly language: Language
  /** IANA name of the clocks that messages show; null: the account's. */
  readonly timeZone: string | null
  /** The hours in which nothing is sent, on these clocks; null: none. */
  readonly quiet: QuietHours | null
}

/** A chat that takes messages at an incoming webhook. */
export interface PostedChat extends PeoplesChannel {
  /** Whoever knows it may post. */
  readonly url: string
}

export interface SlackChannel extends PostedChat {
  readonly kind: 'slack'
  /** An app that posts by the Web API, of which `url` is the address then; left out: an incoming webhook. */
  readonly app?: SlackApp
}

/** An app of a Slack workspace. The message of a shipment is kept up to date, and its thread is the log. */
export interface SlackApp {
  /** The token of its bot. */
  readonly token: string
  /** The id of the channel that it posts to. */
  readonly channel: string
  /** What Slack signs with what people do with buttons; null: messages have none that need an answer. */
  readonly signingSecret: string | null
}

/** The path of the admin interface to which Slack sends what people do with buttons. */
export const PRESSED_AT = '/slack/actions'

/** The secret by which it is known who sends what people do with buttons; null: nobody sends that. */
export function signingSecretOf(channel: ChannelSettings): string | null {
  return channel.kind === 'slack' ? (channel.app?.signingSecret ?? null) : null
}

export interface TeamsChannel extends PostedChat {
  readonly kind: 'teams'
}

export interface GoogleChatChannel extends PostedChat {
  readonly kind: 'google_chat'
}

export interface MattermostChannel extends PostedChat {
  readonly kind: 'mattermost'
}

export interface RocketchatChannel extends PostedChat {
  readonly kind: 'rocketchat'
}

/** Where mail is handed in. */
export interface MailServer {
  /** `smtp[s]://user:password@host:port` */
  readonly server: string
  /** How TLS is spoken; left out or null: by the system's authorities, and without client certificate. */
  readonly tls?: TlsSettings | null
  /** The proxy that leads to the server; left out or null: it is dialled from here. */
  readonly proxy?: ProxySettings | null
}

export interface EmailChannel extends PeoplesChannel, MailServer {
  readonly kind: 'email'
  readonly to: readonly string[]
  readonly from: string
  /** One mail a day or a week; null: mail as it happens. */
  readonly digest: DailyTime | null
}

export interface SvixChannel extends AnyChannel {
  readonly kind: 'svix'
  readonly token: string
  readonly server: string
  readonly app: string
}

/** Nothing is sent: deliveries wait to be taken from the feed of the subscription. */
export interface PullChannel extends AnyChannel, PayloadShape {
  readonly kind: 'pull'
  /** How long they wait. */
  readonly keepMs: number
}

/** The channels that records as they stand go through: programs alone make something of thousands. */
const TAKING_SNAPSHOTS: ReadonlySet<ChannelKind> = new Set(['webhook', 'svix', 'pull'])

/** Whether a subscription can be sent every known record through its channel. */
export function takesSnapshots({ kind }: Pick<ChannelSettings, 'kind'>): boolean {
  return TAKING_SNAPSHOTS.has(kind)
}

/** How long deliveries wait to be taken from the feed; null: they are sent. */
export function keptForFeed(channel: ChannelSettings): number | null {
  return channel.kind === 'pull' ? channel.keepMs : null
}

/** PEM texts; null where there is none. `cert` and `key` come together and belong together. */
export interface TlsSettings {
  /** Authorities that are trusted beside the system's. */
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
}

/** A subscription's `where`, ready to be judged on payloads. */
export interface Filter {
  /** The filter as configured. */
  readonly expression: string
  /** Judges a whole payload; ends soon and never throws, whatever the payload holds. */
  judge(payload: JsonObject): FilterVerdict
}

export type FilterVerdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no match' }
  /** The filter could not be judged, and why: the event is delivered (guarantee E10). */
  | { readonly kind: 'failed'; readonly reason: string }
