import { DELIVERY_ORDERS } from '../model/subscription.ts'
import { CHANNEL_KINDS, channelKeys, type ChannelKeys } from './channel-kinds.ts'
import { childOf, type MapNode } from './config-node.ts'
import { eventPatterns } from './event-patterns.ts'
import { filterExpression } from './filter-expression.ts'
import { hasOneChannel } from './one-channel.ts'
import { problemAt } from './problem.ts'
import { choice, count, duration, filledList, flag, text } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { value } from './value.ts'

/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

const rate = section({
  requests: required(value(count), 'Attempts that may be made in any window of `per`.'),
  per: required(value(duration({ atLeastMs: 1 })), 'Length of the window.'),
})

export const subscription = section(
  {
    ...channelKeys,
    events: required(value(eventPatterns), 'What is heard: exact types, `prefix.*`, or `*` (all but service events).'),
    accounts: optional(value(filledList(text, '[acme]')), 'The accounts that are heard; all by default.'),
    where: optional(filterExpression, 'Which of these events are sent: CEL over the payload.'),
    min_shift: optional(value(duration({ atLeastMs: 1 })), 'Date changes ring only this far from the value last sent.'),
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
    enabled: byDefault(value(flag), true, '`false` holds its events until it is enabled again.'),
  },
  {
    keysFit: hasOneChannel,
    check: fitsTogether,
  },
)

export type SubscriptionKeys = Exclude<ReturnType<typeof subscription.read>, undefined>

/** The rules of the one channel that it has: of the others it has no keys. */
function fitsTogether(keys: ChannelKeys, node: MapNode, reading: Reading): boolean {
  for (const kind of Object.values(CHANNEL_KINDS)) {
    const misfit = kind.misfit?.(keys) ?? null
    if (misfit === null) continue
    reading.report(problemAt(childOf(node, misfit.key)?.keyAt ?? node.at, misfit.message))
    return false
  }
  return true
}
