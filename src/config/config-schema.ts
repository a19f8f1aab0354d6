import { z } from 'zod'
import { formatDuration } from '../model/duration.ts'
import type { MailServer } from '../model/subscription.ts'
import { narrowerTokens } from './access-tokens.ts'
import { account } from './account-schema.ts'
import { httpUrl, isLoopback, listenAddress, network, proxyAddress, publicUrl, smtpUrl } from './addresses.ts'
import { expectation } from './expectation-schema.ts'
import { NAME } from './names.ts'
import { runtimeSubscriptions } from './runtime-schema.ts'
import { entries, issueOf } from './schema-parts.ts'
import { storageSection } from './storage.ts'
import { subscription } from './subscription-schema.ts'
import { tls, tlsOf } from './tls.ts'
import { choice, duration, filledList, list, optionalToken, text } from './values.ts'

const DAY_MS = 86_400_000

const RETRY = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h', '24h', '24h', '24h']

const delivery = z.strictObject({
  allow_networks: list(network, '[10.0.0.0/8]')
    .prefault([])
    .describe('Private and loopback networks that may be dialled; others of that kind are refused.'),
  retry: filledList(duration(0), '[5s, 5m, 1h]')
    .prefault(RETRY)
    .describe('Waits between attempts: n entries are n retries after the first attempt.'),
  alert: text.optional().describe('The subscription that also gets what goes wrong: `endpoint.*` and `account.*`.'),
})

const retention = z
  .strictObject({
    payloads: duration(0)
      .prefault('30d')
      .describe('How long a payload is kept after its last delivery ended; the ledger stays.'),
    ledger: duration(DAY_MS)
      .optional()
      .describe(
        'How long what has ended stays in the ledger, no less than `payloads`; `365d` by default. Daily totals stay.',
      ),
  })
  .superRefine(({ ledger, payloads }, context) => {
    if (ledger === undefined || ledger >= payloads) return
    const message = `\`ledger\` is shorter than \`payloads\` (${formatDuration(payloads)}), and no payload outlives its event: make \`ledger\` at least as long`
    context.addIssue(issueOf(message, { key: 'ledger', rule: true }))
  })

/**
 * The tokens that hold where a file names none, by key. They hold variables, so they are put into the file before that is
 * judged: no schema replaces variables.
 */
export const DEFAULT_TOKENS = {
  token: '${SHIPBELL_TOKEN:-}',
  viewer_token: '${SHIPBELL_VIEWER_TOKEN:-}',
} as const

const http = z
  .strictObject({
    listen: listenAddress
      .prefault('127.0.0.1:8484')
      .describe('HOST:PORT of the admin interface; port 0 takes any free one.'),
    token: optionalToken
      .prefault(DEFAULT_TOKENS.token)
      .describe('Who shows it may do everything; required when the address is not loopback.'),
    viewer_token: optionalToken
      .prefault(DEFAULT_TOKENS.viewer_token)
      .describe('Who shows it may look, and change nothing.'),
    tokens: narrowerTokens,
    public_url: publicUrl
      .optional()
      .describe('The address that people reach the admin interface by: a proxy, for example. Messages link to it.'),
  })
  .superRefine(({ listen, token, viewer_token }, context) => {
    if (token === null && !isLoopback(listen.host)) {
      const message =
        '`listen` is not a loopback address, so `http.token` is required: set SHIPBELL_TOKEN, or listen on 127.0.0.1'
      context.addIssue(issueOf(message, { key: 'listen', rule: true }))
    }
    if (token !== null && token === viewer_token) {
      const message = '`viewer_token` is the same as `token`, so who may look may do everything: choose another'
      context.addIssue(issueOf(message, { key: 'viewer_token', rule: true }))
    }
  })

const ping = z.strictObject({
  url: httpUrl.describe('What gets a GET while the daemon does its work; an incoming webhook: its path is a secret.'),
  every: duration(1_000).prefault('1m').describe('How long from one GET to the next.'),
})

const log = z.strictObject({
  level: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .prefault('info')
    .describe('The least severe lines that are logged.'),
})

/** Whole keys: each holds where an account or a subscription leaves it out, so none is required here. */
const defaults = z.strictObject({
  account: z
    .strictObject(account.shape)
    .partial()
    .optional()
    .describe('Keys that hold where an account leaves them out.'),
  subscription: z
    .strictObject(subscription.shape)
    .partial()
    .optional()
    .describe('Keys that hold where a subscription leaves them out, and mean something for its channel.'),
})

/** The mail server: its URL alone, or with the way to it and whom to trust. */
const mailServer = z.union([
  smtpUrl,
  z.strictObject({
    url: smtpUrl.describe('`smtp[s]://user:password@host:port`.'),
    proxy: proxyAddress
      .optional()
      .describe('HTTP proxy that mail is handed in through: it opens a tunnel (CONNECT) to the mail server.'),
    tls: tls.optional().describe('Authorities to trust and a client certificate.'),
  }),
])

/** Where mail goes, and how. */
export function mailServerOf(keys: z.output<typeof mailServer>): MailServer {
  if (typeof keys === 'string') return { server: keys }
  const { url, proxy, tls: pem } = keys
  // The address is the operator's own: nobody judges it.
  return { server: url, tls: tlsOf(pem), proxy: proxy === undefined ? null : { address: proxy, allowUnresolved: true } }
}

const NAMED = 'must be a mapping from names to settings'
const named = { propertyNames: { pattern: NAME.source } }

/** The whole file. What each key is for, and its default, stand beside its type; the JSON Schema comes of the same. */
export const configSchema = z.strictObject({
  accounts: entries(account, NAMED).meta(named).describe('The accounts of the platform that are read, by name.'),
  subscriptions: entries(subscription, NAMED).meta(named).prefault({}).describe('Who gets which events, by name.'),
  delivery: delivery.prefault({}).describe('How deliveries are tried.'),
  retention: retention.prefault({}).describe('How long what was delivered is kept.'),
  ...storageSection.shape,
  smtp: mailServer.optional().describe('The mail server of `email` subscriptions: its URL, or a mapping with `url`.'),
  http: z
    .union([http, z.literal([false, 'false']).transform(() => null)])
    .prefault({})
    .describe('The admin interface; `false` switches it off.'),
  expectations: entries(expectation, NAMED)
    .meta(named)
    .prefault({})
    .describe('What is expected to happen to records by when, by name; what does not rings `expectation.missed`.'),
  ping: ping
    .optional()
    .describe('Somebody else that is told that the daemon does its work (`/readyz` is 200), to notice when it stops.'),
  runtime_subscriptions: runtimeSubscriptions
    .optional()
    .describe('What subscriptions may be made over the API and the desk; left out: they come from files alone.'),
  log: log.prefault({}).describe('What is logged.'),
  include: list(text, '[conf.d/*.yaml]')
    .optional()
    .describe('Files with `accounts` and `subscriptions` alone; patterns, relative to this file.'),
  defaults: defaults
    .optional()
    .describe('Whole keys that hold where accounts and subscriptions leave them out; `null` there takes none.'),
})

export type ConfigKeys = z.output<typeof configSchema>
