import { z } from '@hono/zod-openapi'
import { placeOf } from '../../../message/words/happened.ts'
import { routeOf } from '../../../message/words/journey.ts'
import { formatInstantOrNull, parseInstant } from '../../../model/instant.ts'
import { elements, field, textField, type Json, type JsonObject } from '../../../model/json.ts'
import { MILESTONES, type Milestone, summariseShipment } from '../../../model/shipment.ts'
import type { DateValue, RecordDetail } from '../../../store/ports/record-query-port.ts'
import { recordPath } from '../../pages/parts/address.ts'
import { type Answer, fitting } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import { exceptionLine, exceptionsOf, openException, openExceptionItem, type ShownException } from '../exceptions.ts'
import { requireRecord } from '../one-record.ts'
import {
  account,
  dateText,
  fields,
  instantOrNull,
  instantText,
  text,
  textOrNull,
  url,
  urlOf,
  whole,
  wholeOrNull,
} from '../parts.ts'
import { told, toldJson, toldOf, toldText, type Told } from '../told.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const step = z
  .object({
    what: textOrNull,
    step: textOrNull,
    place: textOrNull,
    date: textOrNull,
    status: textOrNull,
    container: textOrNull,
  })
  .nullable()

const date = fields({
  milestone: z.enum(MILESTONES),
  date: textOrNull.describe('As the platform sent it; null: there was none.'),
  status: textOrNull,
  seen_at: instantOrNull,
  told_at: instantOrNull.describe(
    'When the event that reported it rang; null: it was learnt silently, and nobody was told.',
  ),
  event_id: textOrNull,
  told,
})

export const getShipment = tool({
  name: 'get_shipment',
  title: 'One shipment',
  description:
    'Tells where one shipment is and every value that its pickup, departure, arrival and delivery dates had, oldest first, each with when it was told and to whom; and what is not well of it.',
  input: z.strictObject({
    id: z.string().min(1).max(500).describe('The id of the shipment, as find_shipments gives it.'),
    account: account.optional().describe('Its account, where several have a shipment of this id.'),
  }),
  output: fields({
    account: text,
    id: text,
    name: textOrNull,
    status: textOrNull,
    removed: instantOrNull,
    mode: textOrNull,
    carrier: textOrNull,
    route: textOrNull,
    eta: instantOrNull,
    drift_minutes: wholeOrNull,
    orders: z.array(text),
    containers: z.array(text),
    last_step: step.describe('The newest event of its tracking that has happened.'),
    next_step: step.describe('The first event of its tracking that is still to come.'),
    dates: z.array(date),
    dates_left_out: whole.describe('How many older values are left out, to keep the answer short.'),
    exceptions: z.array(openException),
    last_read_at: text,
    url,
  }),
  answer: async ({ account: of, id }, desk) => {
    const record = await requireRecord(desk, { resource: 'shipment', id, account: of })
    const key = { account: record.account, resource: 'tracking', id: record.id } as const
    const [tracking, exceptions] = await Promise.all([
      desk.store.records(key.account, key.resource, [key.id]),
      exceptionsOf(desk, record),
    ])
    const steps = stepsOf(tracking.get(key.id)?.seen ?? null)
    return await fitting(async (most) => {
      const dates = await Promise.all(newestValues(record, most).map(async (each) => withTold(each, desk)))
      return answerOf({ record, dates, exceptions, steps, most }, desk)
    })
  },
})

interface MilestoneValue extends DateValue {
  readonly milestone: Milestone
}

interface ToldValue extends MilestoneValue {
  readonly told: readonly Told[]
}

interface Shown {
  readonly record: RecordDetail
  readonly dates: readonly ToldValue[]
  readonly exceptions: readonly ShownException[]
  readonly steps: { readonly last: JsonObject | null; readonly next: JsonObject | null }
  /** How many of each list are shown. */
  readonly most: number
}

/** The newest values of each date. */
function newestValues({ dates }: RecordDetail, most: number): readonly MilestoneValue[] {
  return MILESTONES.flatMap((milestone) =>
    (dates[milestone] ?? []).slice(-most).map((each) => ({ ...each, milestone })),
  )
}

async function withTold(value: MilestoneValue, { store }: ToolDesk): Promise<ToldValue> {
  return { ...value, told: await toldOf(store, value.eventId) }
}

function answerOf({ dates, exceptions, most, record, steps }: Shown, desk: ToolDesk): Answer {
  const object = record.object ?? {}
  const summary = summariseShipment(record.id, object)
  const [orders, containers] = [summary.purchase_order_references ?? [], summary.container_numbers ?? []]
  const all = MILESTONES.reduce((sum, milestone) => sum + (record.dates[milestone] ?? []).length, 0)
  const leftOut = all - dates.length
  const page = urlOf(desk, recordPath(record))
  const name = record.name ?? record.id
  return {
    lead: [
      `One shipment, with ${dates.length === 1 ? 'one value' : `${dates.length} values`} of its dates${exceptions.length === 0 ? ' and nothing that is not well' : ''}.`,
      ...(leftOut === 0 ? [] : [`${leftOut} older values are left out: its page shows all.`]),
    ],
    data: [
      dataLine(
        record.id,
        name,
        record.removedAt === null ? record.status : 'removed',
        routeOf(object),
        record.carrier,
        `account ${record.account}`,
        page,
      ),
      dataLine(
        orders.length === 0 ? null : `orders ${orders.slice(0, most).join(', ')}`,
        containers.length === 0 ? null : `containers ${containers.slice(0, most).join(', ')}`,
      ),
      stepLine('happened last', steps.last),
      stepLine('next', steps.next),
      ...dates.map(valueLine),
      ...exceptions.map((each) => exceptionLine(each, desk)),
    ].filter((line) => line !== ''),
    structured: {
      account: record.account,
      id: record.id,
      name: record.name,
      status: record.status,
      removed: formatInstantOrNull(record.removedAt),
      mode: record.kind,
      carrier: record.carrier,
      route: routeOf(object),
      eta: formatInstantOrNull(record.etaAt),
      drift_minutes: record.drift,
      orders: orders.slice(0, most),
      containers: containers.slice(0, most),
      last_step: steps.last,
      next_step: steps.next,
      dates: dates.map(valueJson),
      dates_left_out: leftOut,
      exceptions: exceptions.map((each) => openExceptionItem(each, desk)),
      last_read_at: formatInstantOrNull(record.lastReadAt),
      url: page,
    },
  }
}

function valueJson({ date: sent, eventId, milestone, seenAt, status, told: all, toldAt }: ToldValue): JsonObject {
  return {
    milestone,
    date: sent,
    status,
    seen_at: formatInstantOrNull(seenAt),
    told_at: formatInstantOrNull(toldAt),
    event_id: eventId,
    told: toldJson(all),
  }
}

function valueLine({ date: sent, milestone, status, told: all, toldAt }: ToldValue): string {
  const when = toldAt === null ? 'learnt silently' : `rang ${instantText(toldAt)}`
  return dataLine(milestone, dateText(sent) ?? 'no date', status, when, toldAt === null ? null : toldText(all))
}

function stepLine(title: string, found: JsonObject | null): string {
  if (found === null) return ''
  const [what, place, container] = ['what', 'place', 'container'].map((name) => textField(found, name))
  return dataLine(
    title,
    what ?? textField(found, 'step'),
    place,
    container,
    dateText(found['date']),
    textField(found, 'status'),
  )
}

/** What happened last on its way, and what comes next. */
function stepsOf(tracking: JsonObject | null): Shown['steps'] {
  const events = elements(field(tracking ?? {}, 'tracking_steps')).flatMap((each) =>
    elements(field(each, 'events')).map((event) => ({
      step: each,
      event,
      at: parseInstant(field(event, 'date')) ?? 0,
    })),
  )
  const inOrder = events.toSorted((one, other) => one.at - other.at)
  const isActual = ({ event }: (typeof events)[number]): boolean => textField(event, 'status') === 'actual'
  const [last, next] = [inOrder.findLast(isActual), inOrder.find((each) => each.at > 0 && !isActual(each))]
  return { last: stepJson(last), next: stepJson(next) }
}

function stepJson(found: { readonly step: Json; readonly event: Json } | undefined): JsonObject | null {
  if (found === undefined) return null
  const { event, step: of } = found
  return {
    what: textField(event, 'description'),
    step: textField(of, 'type'),
    place: placeOf(of),
    date: textField(event, 'date'),
    status: textField(event, 'status'),
    container: textField(event, 'container_number'),
  }
}
