import { eventPatterns } from './event-patterns.ts'
import { headerMap } from './header-map.ts'
import { httpUrl } from './http-url.ts'
import { count, duration, filledList, flag, text } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required } from './shape.ts'
import { signingSecrets } from './signing-secret.ts'
import { value } from './value.ts'

/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

export const subscription = section(
  {
    url: required(value(httpUrl), 'Where events are posted.'),
    secret: required(value(signingSecrets), 'Signs every attempt: `whsec_…`; a list signs with each (rotation).'),
    events: required(value(eventPatterns), 'What is heard: exact types, `prefix.*`, or `*` (all but service events).'),
    accounts: optional(value(filledList(text, '[acme]')), 'The accounts that are heard; all by default.'),
    timeout: byDefault(deadline, '15s', 'Deadline of an attempt: connect, send and the whole answer.'),
    concurrency: byDefault(value(count), 4, 'Attempts that may be under way at once.'),
    headers: byDefault(value(headerMap), {}, 'Extra request headers.'),
    enabled: byDefault(value(flag), true, '`false` holds its events until it is enabled again.'),
  },
  {
    later: [
      'slack',
      'email',
      'svix',
      'digest',
      'template',
      'tls',
      'where',
      'min_shift',
      'payload',
      'format',
      'order',
      'rate',
    ],
  },
)

export type SubscriptionKeys = Exclude<ReturnType<typeof subscription.read>, undefined>
