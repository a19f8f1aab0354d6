import { z } from '@hono/zod-openapi'
import { invoiceTotal, money } from '../../../message/words/money.ts'
import { parseDuration } from '../../../model/duration.ts'
import { dueRange, readDueChoice, type DueChoice } from '../../../model/due-choice.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { addDue, dueSum, NOTHING_DUE } from '../../../report/due-invoices.ts'
import { ShipbellError } from '../../../errors.ts'
import type { RecordQuery, RecordSummary } from '../../../store/ports/record-query-port.ts'
import { link, recordPath } from '../../pages/parts/address.ts'
import { wording } from '../../pages/parts/time.ts'
import { type Answer, fitting } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import { dateText, fields, text, textOrNull, url, urlOf, whole } from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const DEFAULT = '7d'
/** How many invoices are added up. */
const MOST = 200

const invoice = fields({
  account: text,
  reference: text,
  status: textOrNull,
  due_date: textOrNull,
  overdue: z.boolean(),
  totals: z.record(text, text).describe('Exact decimals by currency.'),
  shipment_id: textOrNull,
  url,
})

export const listInvoicesDue = tool({
  name: 'list_invoices_due',
  title: 'Invoices that are due',
  description:
    'Lists invoices that have yet to be paid: those that are overdue and those that fall due within so many days, the one that falls due first at the top, with sums by currency.',
  input: z.strictObject({
    within: z
      .string()
      .max(10)
      .optional()
      .describe(
        '`7d` (the default) or another number of days, with those that are overdue; `overdue`: these alone; `any`: all that have yet to be paid.',
      ),
  }),
  output: fields({
    items: z.array(invoice),
    amount: whole.describe('How many there are; where `is_more`, of how many there are more.'),
    is_more: z.boolean(),
    totals: z.record(text, text).describe('What those that were counted come to together, exact decimals by currency.'),
    url,
  }),
  answer: async ({ within = DEFAULT }, desk) => {
    const choice = readDueChoice(within) ?? withinDuration(within)
    if (choice === null)
      throw new ShipbellError(
        'usage',
        `within ${JSON.stringify(within)} is not understood: give a number of days such as 7d, or overdue, or any.`,
      )
    const page = await desk.store.recordPage({ resource: 'invoice', due: dueUntil(choice, desk), limit: MOST })
    const rows = await withObjects(page.items, desk)
    return await fitting(async (most) =>
      answerOf({ rows, shown: rows.slice(0, most * SPARE), isMore: page.next !== null }, desk),
    )
  },
})

const DAY_MS = 86_400_000
const MOST_DAYS = 999

/** Any other duration than whole days, up to the end of the day that it reaches; null: it is none. */
function withinDuration(text: string): DueChoice | null {
  const ms = parseDuration(text)
  return ms === null || ms > MOST_DAYS * DAY_MS ? null : { kind: 'within', days: Math.ceil(ms / DAY_MS) }
}

/** Rows of invoices are short: more of them fit than of other records. */
const SPARE = 3

/** What is overdue, and what falls due within the days; accounts differ in what day it is. */
function dueUntil(choice: DueChoice, desk: ToolDesk): NonNullable<RecordQuery['due']> {
  return (account) => {
    const range = dueRange(choice, desk.clock.calendarNow(account), zoneOf(account, desk))
    return choice.kind === 'within' ? { from: null, to: range.to } : range
  }
}

function zoneOf(account: string, desk: ToolDesk): string {
  return desk.accounts().find(({ name }) => name === account)?.timeZone ?? 'UTC'
}

interface Row {
  readonly row: RecordSummary
  readonly object: JsonObject
}

async function withObjects(rows: readonly RecordSummary[], { store }: ToolDesk): Promise<readonly Row[]> {
  const byAccount = [...Map.groupBy(rows, ({ account }) => account)]
  const known = await Promise.all(
    byAccount.map(async ([account, own]) => {
      const states = await store.records(
        account,
        'invoice',
        own.map(({ id }) => id),
      )
      return own.map((row) => [row, states.get(row.id)?.seen ?? {}] as const)
    }),
  )
  const objects = new Map(known.flat())
  return rows.map((row) => ({ row, object: objects.get(row) ?? {} }))
}

interface Shown {
  readonly rows: readonly Row[]
  readonly shown: readonly Row[]
  readonly isMore: boolean
}

function answerOf({ isMore, rows, shown }: Shown, desk: ToolDesk): Answer {
  const sum = rows.map(({ object }) => dueSum([object])).reduce(addDue, NOTHING_DUE)
  const page = urlOf(desk, link({ path: '/records/invoice', query: {} }, { due: 'any' }))
  const items = shown.map((each) => invoiceJson(each, desk))
  const overdue = items.filter((item) => item['overdue'] === true).length
  return {
    lead: [
      rows.length === 0
        ? 'Nothing is due.'
        : `${isMore ? 'More than ' : ''}${rows.length} ${rows.length === 1 ? 'invoice' : 'invoices'}; overdue of those below: ${overdue}.`,
      ...(shown.length < rows.length
        ? [`The first ${shown.length} are below: ask for fewer days, or look at the desk for all.`]
        : []),
    ],
    data: [
      ...(rows.length === 0 ? [] : [dataLine(`together ${money(sum.totals, wording())}`, page)]),
      ...shown.map(({ object, row }, nth) =>
        dataLine(
          row.id,
          `due ${dateText(row.dueOn) ?? 'on no date'}`,
          items[nth]?.['overdue'] === true ? 'overdue' : null,
          invoiceTotal(object, wording()),
          row.status,
          `account ${row.account}`,
          urlOf(desk, recordPath(row)),
        ),
      ),
    ],
    structured: { items, amount: rows.length, is_more: isMore, totals: sum.totals, url: page },
  }
}

function invoiceJson({ object, row }: Row, desk: ToolDesk): JsonObject {
  const { account, dueOn, id, status } = row
  const today = dueRange({ kind: 'within', days: 0 }, desk.clock.calendarNow(account), zoneOf(account, desk)).from
  return {
    account,
    reference: id,
    status,
    due_date: dueOn,
    overdue: dueOn !== null && today !== null && dueOn < today,
    totals: dueSum([object]).totals,
    shipment_id: textField(object, 'platform_shipment_id'),
    url: urlOf(desk, recordPath(row)),
  }
}
