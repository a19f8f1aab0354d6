import { HOLD_REASONS } from '../../model/hold.ts'
import { z } from '@hono/zod-openapi'
import { RECORD_RESOURCES, WATCHABLES } from '../../model/resource.ts'
import { anyObjectOrNull, instant, instantOrNull, text, textOrNull, whole, wholeOrNull } from './parts.ts'

/** Accounts and subscriptions, as answers show them. */

const watched = z.enum(WATCHABLES)
const delay = z.object({ mean_seconds: z.number(), p95_seconds: z.number() }).nullable()

export const account = z
  .object({
    name: text,
    health: z.object({
      state: z.enum(['ok', 'degraded', 'unauthorized']),
      since: instantOrNull,
      reason: textOrNull,
    }),
    pause: z.object({ until: instant, since: instant, reason: text }).nullable(),
    last_sequence: whole,
    budget_use: z.object({ requests_last_hour: whole, budget_per_hour: z.number() }).nullable(),
    ceiling: z.object({ fraction: z.number(), since: instant }).nullable(),
    resources: z.array(
      z.object({
        resource: watched,
        records: whole,
        pass: whole,
        last_complete_pass_at: instantOrNull,
        baselined_at: instantOrNull,
        newest_read_at: instantOrNull,
        oldest_read_at: instantOrNull,
        refused: z.object({ since: instant, reason: text }).nullable(),
        incomplete: z.object({ since: instant, skip: whole, reason: text }).nullable(),
        audit: z
          .object({ sampled: whole, differed: whole, at_most: z.number().nullable(), stale_since: instantOrNull })
          .nullable()
          .openapi({ description: 'Samples of a week, compared by id; null: there was none.' }),
        expected_delay: delay,
        achieved_delay: delay,
        changes_seen: whole,
      }),
    ),
  })
  .openapi('Account')

const counts = { pending: whole, delivered: whole, exhausted: whole, held: whole, discarded: whole }

export const subscription = z
  .object({
    name: text,
    state: z.enum(['ok', 'failing', 'exhausted', 'disabled', 'removed', 'unverified']),
    configured: z.boolean(),
    enabled: z.boolean(),
    disabled: z.object({ reason: text, at: instant, by: text }).nullable(),
    deliveries: z.object(counts),
    failures_in_a_row: whole,
    failing_since: instantOrNull,
    exhausted_since: instantOrNull,
    last_failure_at: instantOrNull,
    last_error: textOrNull,
    last_success_at: instantOrNull,
    source: z.enum(['file', 'api']),
    owner: textOrNull.openapi({ description: 'The narrower token that made it; null: none.' }),
    snapshot: z
      .object({
        state: z.enum(['under_way', 'ended', 'cancelled']),
        resource: z.enum(RECORD_RESOURCES).nullable().openapi({ description: 'Null: all that it hears of.' }),
        begun_at: instant,
        ended_at: instantOrNull,
        sent: whole,
        left_out: whole.openapi({ description: 'Records that `where` left out.' }),
      })
      .nullable()
      .openapi({ description: 'The last time that it was sent every known record; null: it was not.' }),
    oldest_pending_at: instantOrNull,
    oldest_pending_seconds: wholeOrNull,
  })
  .openapi('Subscription')

const need = z
  .object({
    kind: text,
    urgent: z.boolean().openapi({ description: 'Whether `status` exits 1 for it.' }),
    account: textOrNull,
    subscription: textOrNull,
    resource: watched.nullable(),
    what: text,
    remedy: text,
    page: text.openapi({ description: 'The page of the desk that shows it.' }),
  })
  .openapi('Need', { description: 'Something that only a person can put right.' })

const worker = z
  .object({
    id: text,
    version: text,
    since: instant,
    accounts: z.array(text).openapi({ description: 'Those that it polls.' }),
    config_differs: z.boolean().openapi({ description: 'Whether another configuration than its own is in force.' }),
  })
  .openapi('Worker', { description: 'A process that shares the work on the store with others.' })

const configuration = z
  .object({
    worker: textOrNull.openapi({ description: 'Its id where several share the store.' }),
    host: text,
    pid: whole,
    file: text,
    since: instant,
    rejected: z.boolean().openapi({ description: 'Whether its files, as they are now, cannot be used.' }),
    problems: z.array(text),
    restart_keys: z.array(text).openapi({ description: 'Keys whose new value takes a restart.' }),
  })
  .openapi('ConfigurationTrouble', { description: 'What of the configuration of a process needs a person.' })

export const status = z
  .object({
    daemon: z.object({
      running: z.boolean(),
      pid: wholeOrNull,
      command: textOrNull,
      since: instantOrNull,
      host: textOrNull,
    }),
    workers: z.array(worker),
    configuration: z.array(configuration),
    needs: z.array(need),
    accounts: z.array(account),
    subscriptions: z.array(subscription),
    totals: z.looseObject({
      ...counts,
      undelivered: whole,
      oldest_pending_at: instantOrNull,
      oldest_pending_seconds: wholeOrNull,
    }),
  })
  .openapi('Status')

export const holdReason = z.enum(HOLD_REASONS)

export const hold = z
  .object({
    account: text,
    resource: watched,
    reason: holdReason,
    since: instant,
    known: whole,
    missing: whole,
    sample: z.array(text).openapi({ description: 'Ids of some of what is missing.' }),
    verdict: z.enum(['accept', 'reject']).nullable(),
  })
  .openapi('Hold')

export const plan = z
  .object({
    fits: z.boolean(),
    accounts: z.array(
      z.object({
        name: text,
        fits: z.boolean(),
        known: z.boolean(),
        budget: z.object({ requests: whole, per_seconds: z.number(), share: z.number() }),
        accounts_of_key: whole,
        ceiling: z.object({ fraction: z.number(), since: instant }).nullable(),
        requests_per_hour: z.object({
          allowed: z.number(),
          expected: z.number(),
          promised: z.number(),
          audited: z.number(),
        }),
        smallest_budget: wholeOrNull,
        resources: z.array(
          z.object({
            resource: watched,
            known: z.boolean(),
            refused: textOrNull,
            weight: z.number(),
            every_seconds: z.number(),
            kept_every_seconds: z.number(),
            bearable_every_seconds: z.number(),
            each: z.enum(['page', 'item']),
            requests: z.number(),
            requests_per_hour: z.number(),
            promised_per_hour: z.number(),
            read_every_seconds: z.number().nullable(),
            delay,
          }),
        ),
        replay: anyObjectOrNull,
      }),
    ),
  })
  .openapi('Plan')

export const tested = z
  .object({
    subscription: text,
    delivered: z.boolean(),
    event_id: text,
    delivery_id: text,
    state: text,
    status: wholeOrNull,
    duration_ms: z.number().nullable(),
    error: textOrNull,
    answer: textOrNull,
    disabled: textOrNull,
  })
  .openapi('Tested', {
    description: 'What became of the test. `status` and `error` are null where no attempt was made in time.',
  })
