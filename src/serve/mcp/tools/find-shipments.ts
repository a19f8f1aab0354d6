import { z } from '@hono/zod-openapi'
import { formatInstantOrNull } from '../../../model/instant.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { RecordOrder } from '../../../model/record-order.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { type FoundRecord, matchedRecords } from '../../../report/search.ts'
import { recordPath } from '../../pages/parts/address.ts'
import { shiftText } from '../../pages/parts/words.ts'
import { type Answer, fitting } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import {
  cursor,
  fields,
  instantOrNull,
  instantText,
  next,
  text,
  textOrNull,
  url,
  urlOf,
  wholeOrNull,
} from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

/** How many texts say by what a shipment is found. */
const MOST_MATCHED = 3

const BY_NAME: RecordOrder = { by: 'name', isDescending: false }

const shipment = fields({
  account: text,
  id: text,
  name: textOrNull,
  status: textOrNull,
  removed: instantOrNull,
  carrier: textOrNull,
  mode: textOrNull,
  lane: textOrNull.describe('UN/LOCODEs of the ports, from and to.'),
  eta: instantOrNull.describe('When it arrives, or is expected to.'),
  drift_minutes: wholeOrNull.describe('How far that went from the first value told.'),
  last_event_at: instantOrNull,
  matched: z.array(fields({ field: text, text })).describe('By which texts it was found.'),
  url,
})

export const findShipments = tool({
  name: 'find_shipments',
  title: 'Find shipments',
  description:
    'Finds shipments by words that are all to be found: parts, of three characters and more, of ids, names, purchase orders, containers, master and house bills, references, carriers, vessels and ports. An empty query lists all, by name. Use get_shipment for the dates of one.',
  input: z.strictObject({
    query: z.string().max(200).describe('Words, such as "shanghai maersk", "PO-77" or a container number.'),
    cursor,
  }),
  output: fields({ items: z.array(shipment), next }),
  answer: async ({ cursor: place, query }, desk) =>
    await fitting(async (limit) => {
      const page = await desk.store.recordPage({
        resource: 'shipment',
        q: query,
        limit,
        // By the newest event a shipment that rings between two pages would be on neither.
        ...(query.trim() === '' && { order: BY_NAME }),
        ...(place !== undefined && { cursor: place }),
      })
      return answerOf(await matchedRecords(desk.store, page.items, query), page.next, desk)
    }),
})

function answerOf(found: readonly FoundRecord[], following: string | null, desk: ToolDesk): Answer {
  return {
    lead: [leadOf(found.length, following !== null)],
    data: found.map(({ record }) => lineOf(record, desk)),
    structured: { items: found.map((each) => itemOf(each, desk)) },
    next: following,
  }
}

function leadOf(amount: number, hasMore: boolean): string {
  if (amount === 0)
    return hasMore
      ? 'None of the shipments that were looked at so far has all of these words.'
      : 'No shipment has all of these words: try fewer of them, or a part of one.'
  return amount === 1 ? 'One shipment:' : `${amount} shipments:`
}

function itemOf({ matched, record }: FoundRecord, desk: ToolDesk): JsonObject {
  return {
    account: record.account,
    id: record.id,
    name: record.name,
    status: record.status,
    removed: formatInstantOrNull(record.removedAt),
    carrier: record.carrier,
    mode: record.kind,
    lane: record.lane,
    eta: formatInstantOrNull(record.etaAt),
    drift_minutes: record.drift,
    last_event_at: formatInstantOrNull(record.lastEventAt),
    matched: matched.slice(0, MOST_MATCHED).map(({ field, text: said }) => ({ field, text: said })),
    url: urlOf(desk, recordPath(record)),
  }
}

/** One shipment on one line: what it is, where it goes, when it arrives. */
function lineOf(record: RecordSummary, desk: ToolDesk): string {
  const { account, carrier, drift, etaAt, id, lane, name, removedAt, status } = record
  const eta = instantText(etaAt)
  const moved = drift === null || drift === 0 ? '' : `, ${shiftText(drift)} than first told`
  return dataLine(
    id,
    name,
    removedAt === null ? status : 'removed',
    lane,
    carrier,
    eta === null ? null : `arrival ${eta}${moved}`,
    `account ${account}`,
    urlOf(desk, recordPath(record)),
  )
}
