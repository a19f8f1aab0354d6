import { z } from 'zod'
import { DELIVERY_ORDERS } from '../model/subscription.ts'
import { compileFilter } from '../route/filter/compile-filter.ts'
import { CHANNEL_KINDS, channelKeys } from './channel-kinds.ts'
import { eventPatterns } from './event-patterns.ts'
import { quietMisfit } from './people-keys.ts'
import { OPENING_TYPES } from '../model/exception-types.ts'
import { quoted } from './problem.ts'
import { issueOf } from './schema-parts.ts'
import { choice, count, deadline, duration, filledList, flag, list, omittedPointer, text } from './values.ts'

/** CEL, parsed and type-checked; a problem is reported at its place in the expression where that can be found. */
const filter = text.transform((source, context) => {
  const compiled = compileFilter(source)
  if (compiled.kind === 'filter') return compiled.filter
  const hidden = 'cannot be used: the value of a variable in it is not shown'
  context.addIssue(issueOf(`cannot be used: ${compiled.message}`, { hidden, offset: compiled.offset }))
  return z.NEVER
})

const rate = z.strictObject({
  requests: count.describe('Attempts that may be made in any window of `per`.'),
  per: duration(1).describe('Length of the window.'),
})

const openingType = z.string('must list event types such as invoice.overdue').transform((type, context) => {
  const found = OPENING_TYPES.find((each) => each === type)
  if (found !== undefined) return found
  const hint = `those that do are ${OPENING_TYPES.join(', ')}`
  const hidden = `names a type that opens no exception: ${hint}`
  context.addIssue(issueOf(`names ${quoted(type)}, which opens no exception: ${hint}`, { hidden }))
  return z.NEVER
})

const remind = z.strictObject({
  every: duration(1_000).prefault('1d').describe('How long after the exception opened, and after each reminder.'),
  of: filledList(openingType, '[invoice.overdue]').describe('The types of events that open what is told again.'),
})

export const subscription = z
  .strictObject({
    ...channelKeys,
    events: eventPatterns.describe('Which events are sent: exact types, `prefix.*`, or `*` (all but service events).'),
    accounts: filledList(text, '[acme]').optional().describe('The accounts whose events are sent; all by default.'),
    where: filter.optional().describe('A condition on these events, in CEL over the payload: others are not sent.'),
    min_shift: duration(1).optional().describe('Date changes are sent only when this far from the value last sent.'),
    omit: list(omittedPointer, '[/commercial_value]')
      .prefault([])
      .describe('JSON Pointers of what is left out of records; `*` is any element, `location:` before one narrows it.'),
    remind: remind
      .optional()
      .describe('What is told again while the exception that it opened is open and nobody has acknowledged it.'),
    timeout: deadline.prefault('15s').describe('Deadline of an attempt: connect, send and the whole answer.'),
    concurrency: count.prefault(4).describe('Attempts that may be under way at once.'),
    order: choice(DELIVERY_ORDERS)
      .prefault('none')
      .describe('`subject`: the events of a subject strictly one after another; others overtake.'),
    rate: rate
      .optional()
      .describe(
        'The most attempts, retries and tests among them, that the endpoint gets; no limit by default but that of `google_chat`.',
      ),
    enabled: flag.prefault(true).describe('`false` holds its events until it is enabled again.'),
  })
  // The rules of the one channel that it has: of the others it has no keys.
  .superRefine((keys, context) => {
    const misfits = [...Object.values(CHANNEL_KINDS).map(({ misfit }) => misfit?.(keys) ?? null), quietMisfit(keys)]
    const first = misfits.find((misfit) => misfit !== null)
    if (first !== undefined) context.addIssue(issueOf(first.message, { key: first.key, at: 'key', rule: true }))
  })

export type SubscriptionKeys = z.output<typeof subscription>
