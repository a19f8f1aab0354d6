import { z } from 'zod'
import { ShipbellError } from '../errors.ts'
import {
  STARTS,
  type ChannelKind,
  type ChannelSettings,
  type EmailChannel,
  type PullChannel,
  type SvixChannel,
  type WebhookChannel,
} from '../model/subscription.ts'
import { httpUrl, mailAddress, proxyKeys, proxyMisfit, proxyOf, proxySecrets } from './addresses.ts'
import { keyLines, serverSecrets, signedPostingSecrets } from './channel-secrets.ts'
import {
  configuredKind,
  googleChat,
  mattermost,
  rocketchat,
  slack,
  teams,
  type CommonKeys,
  type KindRules,
  type OutputOf,
  type Surroundings,
} from './chat-kinds.ts'
import { choice, duration, filledList, headerMap, signingSecrets, text, timeOfDay, timeZone, token } from './values.ts'
import { forPeople, peoples, readersKeys } from './people-keys.ts'
import { requestBody, requestBodyOf } from './body-keys.ts'
import { shapeKeys } from './payload-keys.ts'
import { tls, tlsOf } from './tls.ts'

function notBesideBody(key: string): string {
  return `\`${key}\` is not for \`body\`: what is sent is what its template says`
}

/** The key of what programs read: they may be sent every known record. */
const startKey = {
  start: choice(STARTS)
    .prefault('live')
    .describe('What a new subscription is sent first: `snapshot`, every known record; `live`, nothing but what rings.'),
}

const webhook = configuredKind({
  chosenBy: {
    url: httpUrl.optional().describe('Where events are posted; or the key of another channel, such as `slack`.'),
  },
  own: {
    secret: signingSecrets
      .optional()
      .describe('Required with `url`: signs every attempt: `whsec_…` (v1), `whsk_…` (v1a); a list signs with each.'),
    body: requestBody.optional().describe('What is sent in place of payloads; the `secret` may be left out beside it.'),
    ...shapeKeys,
    headers: headerMap.prefault({}).describe('Extra request headers.'),
    watermark: duration(1_000)
      .optional()
      .describe(
        'How often it is told, signed, up to which position everything was delivered; needs `format: standard`.',
      ),
    tls: tls.optional().describe('Authorities to trust and a client certificate.'),
    ...startKey,
    ...proxyKeys,
  },
  needs: ['secret'],
  beside: {
    key: 'body',
    takes: readersKeys,
    refuses: Object.fromEntries([...Object.keys(shapeKeys), 'watermark'].map((key) => [key, notBesideBody(key)])),
    spares: ['secret'],
  },
  build: (keys, { body: template = null, drawn, publicUrl = null, untrusted }): WebhookChannel | null => {
    const { url, secret = [], headers, tls: pem, payload, payload_limit: limitBytes, format, source } = keys
    if (url === undefined) return null
    const posting = { url, secrets: secret, headers, tls: tlsOf(pem), proxy: proxyOf(keys) }
    const shape = { payload, limitBytes, format, source, publicUrl }
    const body = requestBodyOf(keys.body, template, keys)
    const drawnFrom = [...drawn('url'), ...drawn('headers'), ...drawn('body')]
    const hidden = [...signedPostingSecrets({ ...posting, drawn: drawnFrom }), ...proxySecrets(posting.proxy)]
    const { timeout: timeoutMs, concurrency } = keys
    const settings = { ...posting, ...shape, hidden, timeoutMs, concurrency }
    const { watermark: watermarkMs } = keys
    const text = body === null ? {} : { body }
    return {
      kind: 'webhook',
      ...settings,
      ...text,
      ...(untrusted && { untrusted }),
      ...(watermarkMs && { watermarkMs }),
    }
  },
  misfit: ({ url = '', tls: pem, ...keys }) =>
    keys.watermark !== undefined && keys.format !== 'standard'
      ? { key: 'watermark', message: '`watermark` needs `format: standard`' }
      : pem === undefined || [url, keys.proxy].some((address) => address?.startsWith('https:'))
        ? proxyMisfit(keys)
        : { key: 'tls', message: '`tls` needs a `url` with https' },
  dials: { at: ['url'], url: ({ url }) => url },
})

/** A channel that posts signed events to a URL, where nothing else of it is configured. */
export function postingTo(url: string, secret: string): ChannelSettings {
  const posting = { url, secrets: [secret], headers: {}, tls: null }
  const hidden = signedPostingSecrets({ ...posting, drawn: [] })
  const shape = { payload: 'full', format: 'standard' } as const
  return { kind: 'webhook', ...posting, ...shape, hidden, timeoutMs: 15_000, concurrency: 1 }
}

const digest = z.strictObject({
  at: timeOfDay.describe('The local time of the mail.'),
  every: choice(['day', 'week']).prefault('day').describe('One mail a `day`, or a `week`, on Mondays.'),
  time_zone: timeZone
    .optional()
    .describe('IANA time zone of `at`; the `time_zone` of the subscription by default, else UTC.'),
})

const email = configuredKind({
  chosenBy: {
    email: z
      .strictObject({
        to: filledList(mailAddress, '[ap@example.com]').describe('Who gets the mail.'),
        from: mailAddress.describe('Whom it is from.'),
      })
      .optional()
      .describe('Mail instead of webhooks; needs `smtp`.'),
  },
  own: { digest: digest.optional().describe('One mail a day or a week instead of one for each event.'), ...forPeople },
  relies: { key: 'smtp', message: '`email` needs a mail server: add `smtp` at the top level' },
  build: ({ email: chosen, digest: daily, timeout, concurrency, ...keys }, around): EmailChannel | null => {
    if (chosen === undefined) return null
    const { server, tls: pem, proxy } = around.mailServer
    const people = peoples(keys, around.templates)
    const digestZone = daily?.time_zone ?? people.timeZone
    const hours =
      daily === undefined ? null : { atMinutes: daily.at, timeZone: digestZone ?? 'UTC', every: daily.every }
    return {
      kind: 'email',
      ...chosen,
      ...around.mailServer,
      ...people,
      timeZone: people.timeZone ?? digestZone,
      digest: hours,
      hidden: [...serverSecrets(server), ...proxySecrets(proxy), ...keyLines(pem?.key ?? '')],
      timeoutMs: timeout,
      concurrency,
    }
  },
  misfit: ({ digest: daily, order }) =>
    daily === undefined || order !== 'subject'
      ? null
      : {
          key: 'order',
          message:
            '`order: subject` and `digest` exclude each other: a digest tells all events of a subject together, in their order',
        },
  dials: null,
})

const svixServer = httpUrl.refine(
  (url) => !url.includes('?') && !/\/api(?:\/v1)?\/?$/.test(url),
  'must not have a query, nor end in /api/v1: paths such as /api/v1/app are appended',
)

/** What Svix takes for a uid, but for what a URL path would lose. */
const svixUid = text.refine(
  (uid) => /^[A-Za-z0-9._-]{1,256}$/.test(uid) && !/^\.{1,2}$/.test(uid),
  'must be letters, digits, `.`, `_` and `-`, 256 at most: it is a uid in Svix',
)

const svix = configuredKind({
  chosenBy: {
    svix: z
      .strictObject({
        token: token.describe('Token of the Svix server; it must make applications, event types and messages.'),
        server: svixServer.describe('Address of the Svix server, without /api/v1.'),
        app: svixUid.describe('Uid of the application whose endpoints get the events; made where it is missing.'),
      })
      .optional()
      .describe('A Svix server delivers instead.'),
  },
  own: { ...startKey, ...proxyKeys },
  build: ({ svix: chosen, timeout, concurrency, ...keys }): SvixChannel | null => {
    if (chosen === undefined) return null
    const proxy = proxyOf(keys)
    const hidden = [chosen.token, ...proxySecrets(proxy)]
    return { kind: 'svix', ...chosen, proxy, hidden, timeoutMs: timeout, concurrency }
  },
  misfit: proxyMisfit,
  dials: { at: ['svix', 'server'], url: ({ server }) => server },
})

function notPulled(key: string): string {
  return `\`${key}\` is not for \`pull\`: nothing is sent`
}

const pull = configuredKind({
  chosenBy: {
    pull: z
      .strictObject({
        keep: duration(1_000).prefault('30d').describe('How long events wait to be taken; then they are exhausted.'),
      })
      .optional()
      .describe('Nothing is sent: events wait to be taken from the feed of the subscription.'),
  },
  own: { ...shapeKeys, ...startKey },
  refuses: Object.fromEntries(['order', 'rate', 'timeout', 'concurrency'].map((key) => [key, notPulled(key)])),
  build: (keys, { publicUrl = null }): PullChannel | null => {
    const { format, payload, payload_limit: limitBytes, pull: chosen, source } = keys
    if (chosen === undefined) return null
    const shape = { payload, limitBytes, format, source, publicUrl }
    return { kind: 'pull', keepMs: chosen.keep, ...shape, hidden: [], timeoutMs: 0, concurrency: 0 }
  },
  dials: null,
})

/** What may be known of any kind. */
export type AnyRules = Pick<KindRules<ChannelSettings>, 'beside' | 'chosenBy' | 'own' | 'needs' | 'refuses' | 'relies'>

type Rules = { readonly [K in ChannelKind]: KindRules<ChannelSettings<K>> & Building<ChannelSettings<K>> }

interface Building<S> {
  readonly build: (keys: never, around: Surroundings) => S | null
}

/** Every kind of channel, in the order in which messages name them. */
export const CHANNEL_KINDS = {
  webhook,
  slack,
  teams,
  google_chat: googleChat,
  mattermost,
  rocketchat,
  email,
  svix,
  pull,
} satisfies Rules

const RULES: Rules = CHANNEL_KINDS

/** The keys of subscriptions that are a channel's, those that choose one first. */
export const channelKeys = {
  ...webhook.chosenBy,
  ...slack.chosenBy,
  ...teams.chosenBy,
  ...googleChat.chosenBy,
  ...mattermost.chosenBy,
  ...rocketchat.chosenBy,
  ...email.chosenBy,
  ...svix.chosenBy,
  ...pull.chosenBy,
  ...webhook.own,
  ...forPeople,
  ...email.own,
  ...svix.own,
}

/** The keys of a subscription that channels look at. */
type ChannelKeys = CommonKeys & OutputOf<typeof channelKeys>

export function rulesOf<K extends ChannelKind>({ kind }: ChannelSettings<K>): KindRules<ChannelSettings<K>> {
  return RULES[kind]
}

/** The channel of a subscription that names exactly one. */
export function channelOf(keys: ChannelKeys, around: Surroundings): ChannelSettings {
  const { omit } = keys
  for (const kind of Object.values(CHANNEL_KINDS)) {
    const channel = kind.build(keys, around)
    if (channel !== null) return omit.length === 0 ? channel : { ...channel, omit }
  }
  throw new ShipbellError('internal', 'A subscription without a channel was taken for a valid one.')
}
