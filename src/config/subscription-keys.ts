import { FORMATS, PAYLOADS } from '../model/payload-shape.ts'
import { DELIVERY_ORDERS } from '../model/subscription.ts'
import { childOf, type MapNode } from './config-node.ts'
import { eventPatterns } from './event-patterns.ts'
import { filterExpression } from './filter-expression.ts'
import { headerMap } from './header-map.ts'
import { httpUrl } from './http-url.ts'
import { digest, email } from './mail-keys.ts'
import { hasOneChannel } from './one-channel.ts'
import { problemAt } from './problem.ts'
import { choice, count, duration, filledList, flag, text } from './scalar-types.ts'
import { section } from './section.ts'
import { slack, svix } from './service-keys.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { signingSecrets } from './signing-secret.ts'
import { templateFiles } from './template-file.ts'
import { tls } from './tls-keys.ts'
import { value } from './value.ts'

/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

const rate = section({
  requests: required(value(count), 'Attempts that may be made in any window of `per`.'),
  per: required(value(duration({ atLeastMs: 1 })), 'Length of the window.'),
})

export const subscription = section(
  {
    url: optional(value(httpUrl), 'Where events are posted; or one of `slack`, `email` and `svix`.'),
    slack: optional(slack, 'Slack messages instead of webhooks; many events that come together in one.'),
    email: optional(email, 'Mail instead of webhooks; needs `smtp`.'),
    digest: optional(digest, 'One mail a day instead of one for each event.'),
    template: optional(
      templateFiles,
      'Liquid file for its messages, or one for each event pattern; with `slack` and `email`.',
    ),
    svix: optional(svix, 'A Svix server delivers instead.'),
    secret: optional(
      value(signingSecrets),
      'Required with `url`: signs every attempt: `whsec_…` (v1), `whsk_…` (v1a); a list signs with each.',
    ),
    events: required(value(eventPatterns), 'What is heard: exact types, `prefix.*`, or `*` (all but service events).'),
    accounts: optional(value(filledList(text, '[acme]')), 'The accounts that are heard; all by default.'),
    where: optional(filterExpression, 'Which of these events are sent: CEL over the payload.'),
    min_shift: optional(value(duration({ atLeastMs: 1 })), 'Date changes ring only this far from the value last sent.'),
    payload: byDefault(value(choice(PAYLOADS)), 'full', '`thin` leaves out `object`, `previous` and `changes`.'),
    format: byDefault(
      value(choice(FORMATS)),
      'standard',
      'The envelope: `standard` or `cloudevents` (CloudEvents 1.0).',
    ),
    timeout: byDefault(deadline, '15s', 'Deadline of an attempt: connect, send and the whole answer.'),
    concurrency: byDefault(value(count), 4, 'Attempts that may be under way at once.'),
    order: byDefault(
      value(choice(DELIVERY_ORDERS)),
      'none',
      '`subject`: the events of a subject strictly one after another; others overtake.',
    ),
    rate: optional(
      rate,
      'The most attempts, retries and tests among them, that the endpoint gets; no limit by default.',
    ),
    headers: byDefault(value(headerMap), {}, 'Extra request headers.'),
    tls: optional(tls, 'Authorities to trust and a client certificate.'),
    enabled: byDefault(value(flag), true, '`false` holds its events until it is enabled again.'),
  },
  {
    keysFit: hasOneChannel,
    check: fitsTogether,
  },
)

export type SubscriptionKeys = Exclude<ReturnType<typeof subscription.read>, undefined>

interface DependentKeys {
  readonly url: string | undefined
  readonly tls: unknown
  readonly digest: unknown
  readonly order: string
}

function fitsTogether(keys: DependentKeys, node: MapNode, reading: Reading): boolean {
  const { url, tls: settings, digest: daily, order } = keys
  const refuse = (key: string, message: string): false => {
    reading.report(problemAt(childOf(node, key)?.keyAt ?? node.at, message))
    return false
  }
  if (settings !== undefined && url?.startsWith('https:') !== true)
    return refuse('tls', '`tls` needs a `url` with https')
  if (daily !== undefined && order === 'subject')
    return refuse(
      'order',
      '`order: subject` and `digest` exclude each other: a digest tells all events of a subject together, in their order',
    )
  return true
}
