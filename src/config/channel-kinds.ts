import { FORMATS, PAYLOADS } from '../model/payload.ts'
import type {
  ChannelKind,
  ChannelSettings,
  EmailChannel,
  SlackChannel,
  SvixChannel,
  WebhookChannel,
} from '../model/subscription.ts'
import { configuredKind, type CommonKeys, type KindRules, type Surroundings } from './channel-kind.ts'
import { postingSecrets, serverSecrets, signedPostingSecrets } from './channel-secrets.ts'
import { headerMap } from './header-map.ts'
import { httpUrl } from './http-url.ts'
import { digest, mailAddress } from './mail-keys.ts'
import { choice, filledList, text, token } from './scalar-types.ts'
import { section, type SectionOf } from './section.ts'
import { byDefault, optional, required } from './shape.ts'
import { signingSecrets } from './signing-secret.ts'
import { templateFiles } from './template-file.ts'
import { tls } from './tls-keys.ts'
import { value } from './value.ts'
import { withDrawn } from './with-drawn.ts'

/** Of channels that people read. */
const template = optional(
  templateFiles,
  'Liquid file for its messages, or one for each event pattern; with `slack` and `email`.',
)

const webhook = configuredKind({
  chosenBy: {
    url: optional(withDrawn(value(httpUrl)), 'Where events are posted; or one of `slack`, `email` and `svix`.'),
  },
  own: {
    secret: optional(
      value(signingSecrets),
      'Required with `url`: signs every attempt: `whsec_…` (v1), `whsk_…` (v1a); a list signs with each.',
    ),
    payload: byDefault(value(choice(PAYLOADS)), 'full', '`thin` leaves out `object`, `previous` and `changes`.'),
    format: byDefault(
      value(choice(FORMATS)),
      'standard',
      'The envelope: `standard` or `cloudevents` (CloudEvents 1.0).',
    ),
    headers: byDefault(withDrawn(value(headerMap)), {}, 'Extra request headers.'),
    tls: optional(tls, 'Authorities to trust and a client certificate.'),
  },
  needs: ['secret'],
  build: ({ url, secret = [], headers, tls: pem, payload, format, timeout, concurrency }): WebhookChannel | null => {
    if (url === undefined) return null
    const posting = {
      url: url.value,
      secrets: secret,
      headers: headers.value,
      tls: pem === undefined ? null : { ca: pem.ca ?? null, cert: pem.cert ?? null, key: pem.key ?? null },
    }
    const hidden = signedPostingSecrets({ ...posting, drawn: [...url.drawn, ...headers.drawn] })
    return { kind: 'webhook', ...posting, hidden, payload, format, timeoutMs: timeout, concurrency }
  },
  misfit: ({ url, tls: pem }) =>
    pem === undefined || url?.value.startsWith('https:') === true
      ? null
      : { key: 'tls', message: '`tls` needs a `url` with https' },
  dials: { at: ['url'], url: ({ url }) => url },
  tls: (channel) => channel.tls,
})

const slack = configuredKind({
  chosenBy: {
    slack: optional(
      section({
        url: required(
          value(httpUrl),
          'The incoming webhook of a Slack channel; a secret, since whoever knows it may post.',
        ),
      }),
      'Slack messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: { template },
  refuses: { concurrency: '`concurrency` is not for `slack`: its messages go one after another' },
  build: ({ slack: chosen, timeout }, { templates }): SlackChannel | null => {
    if (chosen === undefined) return null
    const hidden = postingSecrets(chosen.url)
    // Slack shows messages in the order in which they come, and takes about one a second.
    return { kind: 'slack', ...chosen, hidden, templates, timeoutMs: timeout, concurrency: 1 }
  },
  dials: { at: ['slack', 'url'], url: ({ url }) => url },
})

const email = configuredKind({
  chosenBy: {
    email: optional(
      section({
        to: required(value(filledList(mailAddress, '[ap@example.com]')), 'Who gets the mail.'),
        from: required(value(mailAddress), 'Whom it is from.'),
      }),
      'Mail instead of webhooks; needs `smtp`.',
    ),
  },
  own: { digest: optional(digest, 'One mail a day instead of one for each event.'), template },
  relies: { key: 'smtp', message: '`email` needs a mail server: add `smtp` at the top level' },
  build: ({ email: chosen, digest: daily, timeout, concurrency }, { server, templates }): EmailChannel | null => {
    if (chosen === undefined) return null
    const hours = daily === undefined ? null : { atMinutes: daily.at, timeZone: daily.time_zone }
    const hidden = serverSecrets(server)
    return { kind: 'email', ...chosen, digest: hours, server, hidden, templates, timeoutMs: timeout, concurrency }
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
    svix: optional(
      section({
        token: required(value(token), 'Token of the Svix server; it must make applications, event types and messages.'),
        server: required(value(svixServer), 'Address of the Svix server, without /api/v1.'),
        app: required(
          value(svixUid),
          'Uid of the application whose endpoints hear the events; made where it is missing.',
        ),
      }),
      'A Svix server delivers instead.',
    ),
  },
  own: {},
  build: ({ svix: chosen, timeout, concurrency }): SvixChannel | null =>
    chosen === undefined ? null : { kind: 'svix', ...chosen, hidden: [chosen.token], timeoutMs: timeout, concurrency },
  dials: { at: ['svix', 'server'], url: ({ server }) => server },
})

type Rules = { readonly [K in ChannelKind]: KindRules<ChannelSettings<K>> & Building<ChannelSettings<K>> }

interface Building<S> {
  readonly build: (keys: never, around: Surroundings) => S | null
}

/** Every kind of channel, in the order in which messages name them. */
export const CHANNEL_KINDS = { webhook, slack, email, svix } satisfies Rules

const RULES: Rules = CHANNEL_KINDS

/** The keys of subscriptions that are a channel's, those that choose one first. */
export const channelKeys = {
  ...webhook.chosenBy,
  ...slack.chosenBy,
  ...email.chosenBy,
  ...svix.chosenBy,
  ...webhook.own,
  ...slack.own,
  ...email.own,
  ...svix.own,
}

/** Of a subscription's keys, those that channels look at. */
export type ChannelKeys = CommonKeys & SectionOf<typeof channelKeys>

export function rulesOf<K extends ChannelKind>({ kind }: ChannelSettings<K>): KindRules<ChannelSettings<K>> {
  return RULES[kind]
}
