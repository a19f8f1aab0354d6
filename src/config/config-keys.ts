import { account } from './account-keys.ts'
import { childOf, type MapNode } from './config-node.ts'
import { isLoopback, listenAddress, type ListenAddress } from './listen-address.ts'
import { smtpUrl } from './mail-keys.ts'
import { named, type Naming } from './named.ts'
import { network } from './network.ts'
import { problemAt } from './problem.ts'
import { choice, duration, filledList, list, optionalToken, text } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { subscription } from './subscription-keys.ts'
import { switchable } from './switchable.ts'
import { value } from './value.ts'

const RETRY = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h', '24h', '24h', '24h']

export const storage = section(
  {
    path: byDefault(
      value(text),
      'shipbell.db',
      'The database file, relative to the configuration; created with mode 0600.',
    ),
  },
  { later: ['url'] },
)

const delivery = section({
  allow_networks: byDefault(
    value(list(network, '[10.0.0.0/8]')),
    [],
    'Private and loopback networks that may be dialled; others of that kind are refused.',
  ),
  retry: byDefault(
    value(filledList(duration({ atLeastMs: 0 }), '[5s, 5m, 1h]')),
    RETRY,
    'Waits between attempts: n entries are n retries after the first attempt.',
  ),
  alert: optional(value(text), 'The subscription that also hears what goes wrong: `endpoint.*` and `account.*`.'),
})

const retention = section({
  payloads: byDefault(
    value(duration({ atLeastMs: 0 })),
    '30d',
    'How long a payload is kept after its last delivery ended; the ledger stays.',
  ),
})

const http = section(
  {
    listen: byDefault(
      value(listenAddress),
      '127.0.0.1:8484',
      'HOST:PORT of the admin interface; port 0 takes any free one.',
    ),
    token: byDefault(
      value(optionalToken),
      '${SHIPBELL_TOKEN:-}',
      'Bearer token of the admin interface; required when the address is not loopback.',
    ),
  },
  { check: hasTokenWhereReachable },
)

const log = section({
  level: byDefault(
    value(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
    'info',
    'The least severe lines that are logged.',
  ),
})

/** What every channel bears: as a channel of Svix, in a subject, in a URL, as a label of a metric. */
const NAMES: Naming = {
  pattern: /^[a-z0-9][a-z0-9_-]{0,63}$/,
  rule: 'lower-case letters, digits, `_` and `-`, a letter or digit first, 64 at most',
}

/** The whole file (guarantee K1). */
export const configKeys = section({
  accounts: required(named(account, NAMES), 'The accounts of the platform that are read, by name.'),
  subscriptions: byDefault(named(subscription, NAMES), {}, 'Who hears what, by name.'),
  delivery: byDefault(delivery, {}, 'How deliveries are tried.'),
  retention: byDefault(retention, {}, 'How long what was delivered is kept.'),
  storage: byDefault(storage, {}, 'Where state is kept.'),
  smtp: optional(value(smtpUrl), 'The mail server of `email` subscriptions.'),
  http: byDefault(switchable(http), {}, 'The admin interface; `false` switches it off.'),
  log: byDefault(log, {}, 'What is logged.'),
})

export type ConfigKeys = Exclude<ReturnType<typeof configKeys.read>, undefined>

function hasTokenWhereReachable(
  settings: { readonly listen: ListenAddress; readonly token: string | null },
  node: MapNode,
  reading: Reading,
): boolean {
  const holds = settings.token !== null || isLoopback(settings.listen.host)
  const at = childOf(node, 'listen')?.at ?? node.keyAt
  if (!holds)
    reading.report(
      problemAt(
        at,
        '`listen` is not a loopback address, so `http.token` is required: set SHIPBELL_TOKEN, or listen on 127.0.0.1',
      ),
    )
  return holds
}
