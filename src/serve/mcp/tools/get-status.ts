import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../model/json.ts'
import { formatInstantOrNull } from '../../../model/instant.ts'
import { watchedAs } from '../../../model/resource.ts'
import { healthOf } from '../../../report/account.ts'
import type { Status } from '../../../report/status.ts'
import { type Answer, fitting } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import { fields, instantOrNull, text, textOrNull, url, urlOf, whole } from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const need = fields({
  kind: text,
  urgent: z.boolean(),
  account: textOrNull,
  subscription: textOrNull,
  what: text,
  remedy: text,
  url,
})

const account = fields({
  account: text,
  health: text.describe('ok, degraded or unauthorized.'),
  records: whole,
  lists: z.array(fields({ resource: text, records: whole, oldest_read_at: instantOrNull })),
})

const subscription = fields({ subscription: text, enabled: z.boolean(), waiting: whole, exhausted: whole })

export const getStatus = tool({
  name: 'get_status',
  title: 'How Shipbell is doing',
  description:
    'Says whether Shipbell runs, what needs a person and what to do about it, how fresh the records of each account are, and how many deliveries wait for each subscription. Lists the names of accounts.',
  input: z.strictObject({}),
  output: fields({
    running: z.boolean(),
    needs: z.array(need),
    accounts: z.array(account),
    subscriptions: z.array(subscription),
    left_out: whole.describe('How many needs, accounts and subscriptions are left out, to keep the answer short.'),
  }),
  answer: async (_, desk) => {
    const status = await desk.status()
    return await fitting(async (most) => answerOf(status, most, desk))
  },
})

function answerOf(status: Status, most: number, desk: ToolDesk): Answer {
  const { accounts, daemon, endpoints, needs } = status
  const shown = { needs: needs.slice(0, most), accounts: accounts.slice(0, most), endpoints: endpoints.slice(0, most) }
  const leftOut = [needs, accounts, endpoints].reduce((sum, list) => sum + Math.max(list.length - most, 0), 0)
  return {
    lead: [
      daemon === null ? 'No daemon runs: nothing is read or sent now.' : 'The daemon runs.',
      needs.length === 0 ? 'Nothing needs a person.' : `What needs a person: ${needs.length}.`,
      `Accounts: ${accounts.length}. Subscriptions: ${endpoints.length}.`,
      ...(leftOut === 0 ? [] : [`${leftOut} of these are left out here: the desk shows all.`]),
    ],
    data: [
      ...shown.needs.map(({ page, remedy, what }) => dataLine(what, remedy, urlOf(desk, page))),
      ...shown.accounts.map((each) =>
        dataLine(`account ${each.account}`, healthOf(each), `${recordsOf(each)} records`),
      ),
      ...shown.endpoints.map(({ counts, subscription: name }) =>
        dataLine(`subscription ${name}`, `${counts.pending + counts.held} waiting`, `${counts.exhausted} exhausted`),
      ),
    ],
    structured: {
      running: daemon !== null,
      needs: shown.needs.map((each): JsonObject => {
        const { kind, page, remedy, urgent, what } = each
        const about = { account: each.account ?? null, subscription: each.subscription ?? null }
        return { kind, urgent, ...about, what, remedy, url: urlOf(desk, page) }
      }),
      accounts: shown.accounts.map((each): JsonObject => ({
        account: each.account,
        health: healthOf(each),
        records: recordsOf(each),
        lists: each.lists.map(({ oldestReadAt, records, resource }) => ({
          resource: watchedAs(resource),
          records,
          oldest_read_at: formatInstantOrNull(oldestReadAt),
        })),
      })),
      subscriptions: shown.endpoints.map(({ counts, enabled, subscription: name }) => ({
        subscription: name,
        enabled,
        waiting: counts.pending + counts.held,
        exhausted: counts.exhausted,
      })),
      left_out: leftOut,
    },
  }
}

function recordsOf({ lists }: Status['accounts'][number]): number {
  return lists.reduce((sum, { records }) => sum + records, 0)
}
