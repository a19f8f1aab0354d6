import { FORMATS, PAYLOADS } from '../model/payload-shape.ts'
import { DELIVERY_ORDERS } from '../model/subscription.ts'
import { childOf, type MapNode } from './config-node.ts'
import { eventPatterns } from './event-patterns.ts'
import { filterExpression } from './filter-expression.ts'
import { headerMap } from './header-map.ts'
import { httpUrl } from './http-url.ts'
import { problemAt } from './problem.ts'
import { choice, count, duration, filledList, flag, text } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { signingSecrets } from './signing-secret.ts'
import { tls } from './tls-keys.ts'
import { value } from './value.ts'
import { withDrawn, type WithDrawn } from './with-drawn.ts'

/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

const rate = section({
  requests: required(value(count), 'Attempts that may be made in any window of `per`.'),
  per: required(value(duration({ atLeastMs: 1 })), 'Length of the window.'),
})

export const subscription = section(
  {
    url: required(withDrawn(value(httpUrl)), 'Where events are posted.'),
    secret: required(
      value(signingSecrets),
      'Signs every attempt: `whsec_…` (v1), `whsk_…` (v1a); a list signs with each.',
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
    headers: byDefault(withDrawn(value(headerMap)), {}, 'Extra request headers.'),
    tls: optional(tls, 'Authorities to trust and a client certificate.'),
    enabled: byDefault(value(flag), true, '`false` holds its events until it is enabled again.'),
  },
  {
    later: ['slack', 'email', 'svix', 'digest', 'template'],
    check: tlsHasHttps,
  },
)

export type SubscriptionKeys = Exclude<ReturnType<typeof subscription.read>, undefined>

function tlsHasHttps(
  keys: { readonly url: WithDrawn<string>; readonly tls: unknown },
  node: MapNode,
  reading: Reading,
): boolean {
  const holds = keys.tls === undefined || keys.url.value.startsWith('https:')
  if (!holds) reading.report(problemAt(childOf(node, 'tls')?.keyAt ?? node.at, '`tls` needs a `url` with https'))
  return holds
}
