import { z } from '@hono/zod-openapi'
import { routeOf } from '../../../message/words/journey.ts'
import { formatInstantOrNull } from '../../../model/instant.ts'
import { field, textField, type JsonObject } from '../../../model/json.ts'
import { namedShipments, orderLines, orderStatus } from '../../../model/order-fate.ts'
import { trackingDate } from '../../../model/shipment.ts'
import type { RecordDetail } from '../../../store/ports/record-query-port.ts'
import { recordPath } from '../../pages/parts/address.ts'
import { type Answer, fitting } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import { exceptionLine, exceptionsOf, openException, openExceptionItem, type ShownException } from '../exceptions.ts'
import { requireRecord } from '../one-record.ts'
import { account, dateText, fields, instantOrNull, text, textOrNull, url, urlOf, whole, wholeOrNull } from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const expected = z
  .object({ date: textOrNull, status: textOrNull, basis: text, shipment_id: textOrNull })
  .nullable()
  .describe('The latest delivery (else arrival) of its shipments; null: none has a date.')

const shipment = fields({
  id: text,
  name: textOrNull,
  status: textOrNull,
  route: textOrNull,
  arrival: textOrNull,
  delivery: textOrNull,
  url,
})

export const getOrder = tool({
  name: 'get_order',
  title: 'One purchase order',
  description:
    'Tells when one purchase order is expected against when it is desired, which shipments it goes with, and what is not well of it with who was told.',
  input: z.strictObject({
    po_number: z.string().min(1).max(500).describe('The number of the order.'),
    account: account.optional().describe('Its account, where several have an order of this number.'),
  }),
  output: fields({
    account: text,
    po_number: text,
    supplier: textOrNull,
    removed: instantOrNull,
    expected,
    desired_delivery_date: textOrNull,
    slack_days: wholeOrNull.describe('Days from the expected to the desired date: below 0 it is late.'),
    assigned_share: z.number().nullable().describe('How much of the order goes with shipments, 0 to 1.'),
    without_date: z.array(text).describe('Its shipments without a date.'),
    shipments: z.array(shipment),
    shipments_left_out: whole,
    exceptions: z.array(openException),
    last_read_at: text,
    url,
  }),
  answer: async ({ account: of, po_number }, desk) => {
    const record = await requireRecord(desk, { resource: 'purchase_order', id: po_number, account: of })
    const known = await desk.store.records(record.account, 'purchase_order', [record.id])
    const exceptions = await exceptionsOf(desk, record)
    const zone = desk.accounts().find(({ name }) => name === record.account)?.timeZone ?? 'UTC'
    const order = record.object ?? {}
    const status = orderStatus(order, known.get(record.id)?.memory.fate, zone)
    const named = namedShipments(orderLines(order))
    return await fitting(async (most) => {
      const states = await desk.store.records(record.account, 'shipment', named.slice(0, most))
      const shipments = named.slice(0, most).map((id) => ({ id, seen: states.get(id)?.seen ?? null }))
      return answerOf({ record, status, shipments, exceptions, leftOut: named.length - shipments.length }, desk)
    })
  },
})

interface Shown {
  readonly record: RecordDetail
  /** How the order stands, as `data.order_status` of events has it. */
  readonly status: JsonObject
  readonly shipments: readonly { readonly id: string; readonly seen: JsonObject | null }[]
  readonly exceptions: readonly ShownException[]
  readonly leftOut: number
}

/** How many shipments without a date are named. */
const MOST_UNKNOWN = 20

function answerOf({ exceptions, leftOut, record, shipments, status }: Shown, desk: ToolDesk): Answer {
  const page = urlOf(desk, recordPath(record))
  const [date, desired] = [field(field(status, 'expected'), 'date'), field(status, 'desired_delivery_date')]
  const slack = field(status, 'slack_days')
  const rows = shipments.map((each) => shipmentJson(each, { account: record.account, desk }))
  const unknown = field(status, 'unknown')
  return {
    lead: [
      slackWords(typeof slack === 'number' ? slack : null),
      `It goes with ${shipments.length + leftOut === 1 ? 'one shipment' : `${shipments.length + leftOut} shipments`}.`,
    ],
    data: [
      dataLine(
        `order ${record.id}`,
        record.name,
        record.removedAt === null ? null : 'removed',
        `account ${record.account}`,
        page,
      ),
      dataLine(`expected ${dateText(date) ?? 'at no known date'}`, `desired ${dateText(desired) ?? 'at no date'}`),
      ...rows.map((row) =>
        dataLine(
          ...['id', 'name', 'status', 'route'].map((name) => textField(row, name)),
          moment('arrival', row),
          moment('delivery', row),
          textField(row, 'url'),
        ),
      ),
      ...exceptions.map((each) => exceptionLine(each, desk)),
    ],
    structured: {
      account: record.account,
      po_number: record.id,
      supplier: record.name,
      removed: formatInstantOrNull(record.removedAt),
      expected: field(status, 'expected') ?? null,
      desired_delivery_date: desired ?? null,
      slack_days: slack ?? null,
      assigned_share: field(status, 'assigned_share') ?? null,
      without_date: Array.isArray(unknown) ? unknown.slice(0, MOST_UNKNOWN) : [],
      shipments: rows,
      shipments_left_out: leftOut,
      exceptions: exceptions.map((each) => openExceptionItem(each, desk)),
      last_read_at: formatInstantOrNull(record.lastReadAt),
      url: page,
    },
  }
}

function slackWords(slack: number | null): string {
  if (slack === null)
    return 'Whether the order is there in time cannot be told: its expected or its desired date is not known.'
  if (slack < 0)
    return `The order is expected too late: ${-slack === 1 ? 'one day' : `${-slack} days`} after the desired date.`
  return slack === 0
    ? 'The order is expected on the desired date.'
    : `The order is expected in time, with ${slack === 1 ? 'one day' : `${slack} days`} to spare.`
}

function moment(name: 'arrival' | 'delivery', row: JsonObject): string | null {
  const said = dateText(row[name])
  return said === null ? null : `${name} ${said}`
}

function shipmentJson(
  { id, seen }: Shown['shipments'][number],
  { account: of, desk }: { readonly account: string; readonly desk: ToolDesk },
): JsonObject {
  return {
    id,
    name: seen && textField(seen, 'name'),
    status: seen && textField(seen, 'status'),
    route: seen && routeOf(seen),
    arrival: formatInstantOrNull(trackingDate(seen, 'arrival')?.instant ?? null),
    delivery: formatInstantOrNull(trackingDate(seen, 'delivery')?.instant ?? null),
    url: urlOf(desk, recordPath({ account: of, resource: 'shipment', id })),
  }
}
