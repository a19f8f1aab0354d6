import { parseInstant } from '../../model/instant.ts'
import { asText, field, rawEqual, type JsonObject } from '../../model/json.ts'
import {
  assignedQuantity,
  assignedShipments,
  desiredDay,
  expectedJson,
  isEnough,
  orderLines,
  orderStatus,
  slackDays,
  type ExpectedDelivery,
  type OrderFate,
  type OrderLine,
} from '../../model/order-fate.ts'
import type { RecordState } from '../../model/record-state.ts'
import { trackingDate, trackingStatus } from '../../model/shipment.ts'
import { isAfterDay } from '../../model/zoned-day.ts'
import type { Finding } from '../claims.ts'
import type { Detected } from '../detect-input.ts'
import { draftEvents } from '../draft-events.ts'

/** A shipment as events have reported it. */
type ReportedShipment = Pick<RecordState, 'id' | 'reported' | 'removedAt'>

/** An event that moved the order, or one of its shipments. */
export interface MovedBy {
  /** The shipment that it moved; null: the order itself. */
  readonly shipmentId: string | null
  readonly eventId: string | null
  /** A number that grows: the event of the highest one is the newest. */
  readonly number: number
}

export interface FateInput {
  readonly account: string
  readonly timeZone: string
  /** When the events fire: their `timestamp`. */
  readonly firedAt: number
  /** The order as it is stored, with what was derived of it last. */
  readonly order: RecordState
  /** The shipments that its lines are assigned to, as far as they are known, by id. */
  readonly shipments: ReadonlyMap<string, ReportedShipment>
  /** Whether a first look at it tells what it finds: the order came after the baselines. */
  readonly isNew: boolean
  readonly movedBy: readonly MovedBy[]
}

export interface DerivedFate extends Detected {
  /** What the order is at from now on; null: it is gone, and begins anew once it is restored. */
  readonly fate: OrderFate | null
  /** Whether the order is at risk, not delivered, and no event of this look says so: learnt in silence, or told before. */
  readonly isQuietlyAtRisk: boolean
}

/** Before anything was told of an order. */
const NOTHING_TOLD: OrderFate = {
  expected: null,
  unknown: [],
  assigned: [],
  uncounted: [],
  atRisk: false,
  fullyAssigned: false,
  delivered: false,
}

/**
 * What an order's lines and shipments mean for it, beside what was derived of them before (`memory.fate`): its new state, and the
 * events that tell the difference. Pure, and a function of what is known now alone: in whatever order records were read, and
 * however many moved meanwhile, it ends at the same. The first look at an order is silent, unless the order is new.
 */
export function deriveFate(input: FateInput): DerivedFate {
  const { isNew, order, timeZone } = input
  const { fate: told, ...memory } = order.memory
  if (order.removedAt !== null || order.reported === null) {
    const state = told === undefined ? order : { ...order, memory }
    return { state, events: [], fate: null, isQuietlyAtRisk: false }
  }
  const record = order.reported
  const fate = fateOf(record, input.shipments, { timeZone, before: told ?? NOTHING_TOLD })
  const state = { ...order, memory: { ...memory, fate } }
  const before = told ?? (isNew ? NOTHING_TOLD : null)
  const isStanding = fate.atRisk && !fate.delivered
  if (before === null) return { state, events: [], fate, isQuietlyAtRisk: isStanding }
  if (JSON.stringify(told) === JSON.stringify(fate))
    return { state: order, events: [], fate, isQuietlyAtRisk: isStanding }
  const { events, chain } = drafted(input, record, { state, findings: findingsOf(input, record, { before, fate }) })
  return { state: { ...state, ...chain }, events, fate, isQuietlyAtRisk: isStanding && before.atRisk }
}

/** Whether two readings of an order may differ in what is derived of them. */
export function mayMoveFate(before: JsonObject, after: JsonObject): boolean {
  const differsIn = (name: string): boolean => !rawEqual(field(before, name) ?? null, field(after, name) ?? null)
  // What lines only repeat of their shipments, or say of their goods, moves nothing.
  const hasMoved = (): boolean => JSON.stringify(orderLines(before)) !== JSON.stringify(orderLines(after))
  return differsIn('desired_delivery_date') || (differsIn('purchase_order_lines') && hasMoved())
}

/** Whether two readings of a shipment may differ in what they mean for its orders. */
export function mayMoveOrders(before: JsonObject, after: JsonObject): boolean {
  const [dates, datesNow] = [field(before, 'main_tracking_dates'), field(after, 'main_tracking_dates')]
  const hasMoved = ['delivery_date', 'arrival_date'].some(
    (name) => !rawEqual(field(dates, name) ?? null, field(datesNow, name) ?? null),
  )
  return hasMoved || isCancelled(before) !== isCancelled(after)
}

function isCancelled(shipment: JsonObject): boolean {
  return field(shipment, 'status') === 'cancelled'
}

function fateOf(
  order: JsonObject,
  known: FateInput['shipments'],
  { before, timeZone }: { readonly before: OrderFate; readonly timeZone: string },
): OrderFate {
  const lines = orderLines(order)
  const assigned = assignedShipments(lines)
  const uncounted = assigned.filter((id) => isUncounted(known.get(id)))
  const shipments = assigned.filter((id) => !uncounted.includes(id))
  const expected = shipments.map((id) => expectedOf(id, known.get(id)?.reported ?? null))
  const fullyAssigned = isFullyAssigned(lines, uncounted)
  const delivered = fullyAssigned && areDelivered(shipments, known)
  const latest = latestOf(expected.filter((each) => each !== null))
  return {
    expected: latest,
    unknown: shipments.filter((_, place) => expected[place] === null),
    assigned,
    uncounted,
    atRisk: (delivered ? null : isLate(latest, desiredDay(order), timeZone)) ?? before.atRisk,
    fullyAssigned,
    delivered,
  }
}

function isUncounted(shipment: ReportedShipment | undefined): boolean {
  if (shipment === undefined) return false
  return shipment.removedAt !== null || (shipment.reported !== null && isCancelled(shipment.reported))
}

function areDelivered(shipments: readonly string[], known: FateInput['shipments']): boolean {
  const statuses = shipments.map((id) => trackingStatus(known.get(id)?.reported ?? null, 'delivery'))
  return statuses.length > 0 && statuses.every((status) => status === 'actual')
}

function isFullyAssigned(lines: readonly OrderLine[], uncounted: readonly string[]): boolean {
  const areFull = lines.every(
    (line) => line.ordered !== null && isEnough(assignedQuantity(line, uncounted), line.ordered),
  )
  return lines.length > 0 && areFull
}

/** Whether the expected day is after the desired one; null: one of the two is not known. */
function isLate(expected: ExpectedDelivery | null, desired: string | null, timeZone: string): boolean | null {
  const instant = expected === null ? null : parseInstant(expected.date)
  return instant === null || desired === null ? null : isAfterDay(instant, desired, timeZone)
}

function expectedOf(shipmentId: string, shipment: JsonObject | null): ExpectedDelivery | null {
  for (const basis of ['delivery', 'arrival'] as const) {
    const entry = trackingDate(shipment, basis)
    const date = entry === null || entry.instant === null ? null : asText(field(entry.raw, 'date'))
    if (entry !== null && date !== null) return { date, status: entry.status, basis, shipmentId }
  }
  return null
}

/** The latest of dates that come in the order of their shipments' ids: of equal ones the first. */
function latestOf(dates: readonly ExpectedDelivery[]): ExpectedDelivery | null {
  return dates.reduce<ExpectedDelivery | null>(
    (latest, each) => (latest !== null && instantOf(each) <= instantOf(latest) ? latest : each),
    null,
  )
}

function instantOf({ date }: ExpectedDelivery): number {
  return parseInstant(date) ?? Number.NEGATIVE_INFINITY
}

interface Turn {
  readonly before: OrderFate
  readonly fate: OrderFate
}

function findingsOf(input: FateInput, record: JsonObject, turn: Turn): readonly Finding[] {
  const { before, fate } = turn
  const [from, to] = [before.expected, fate.expected]
  const dated = [from?.shipmentId, to?.shipmentId]
  const told: Pick<Finding, 'type' | 'extras'>[] = []
  const tell = (type: Told, { by, ...extras }: JsonObject & { readonly by: string | null }): void => {
    const order_status = orderStatus(record, fate, input.timeZone)
    told.push({ type: `purchase_order.${type}`, extras: { ...extras, because: by, order_status } })
  }
  if (isAnother(from, to)) tell('eta_changed', { ...etaChange(turn), by: newest(input.movedBy, dated) })
  if (fate.fullyAssigned && !before.fullyAssigned) tell('fully_assigned', { by: newest(input.movedBy, []) })
  if (fate.atRisk !== before.atRisk) {
    const slack_days = slackDays(to, desiredDay(record), input.timeZone)
    const type = fate.atRisk ? 'delivery_at_risk' : 'delivery_back_on_track'
    tell(type, { slack_days, to: expectedJson(to), by: newest(input.movedBy, dated) })
  }
  if (fate.delivered && !before.delivered)
    tell('delivered', { date: to?.date ?? null, by: newest(input.movedBy, fate.assigned) })
  return told.map(({ extras, type }) => {
    const edge = [type, JSON.stringify([expectedJson(from), expectedJson(to)])]
    return { type, about: { kind: 'rule', edge }, cause: 'derived', extras }
  })
}

type Told = 'eta_changed' | 'fully_assigned' | 'delivery_at_risk' | 'delivery_back_on_track' | 'delivered'

/** Whether the date or its status is another, however it is written. */
function isAnother(from: ExpectedDelivery | null, to: ExpectedDelivery | null): boolean {
  if (from === null || to === null) return from !== to
  return instantOf(from) !== instantOf(to) || from.status !== to.status
}

const MINUTE_MS = 60_000

function etaChange({ before: { expected: from }, fate: { assigned, expected: to, uncounted, unknown } }: Turn) {
  const isShift = from !== null && to !== null
  return {
    from: expectedJson(from),
    to: expectedJson(to),
    shift_minutes: isShift ? Math.round((instantOf(to) - instantOf(from)) / MINUTE_MS) : null,
    unknown,
    shipments: assigned.filter((id) => !uncounted.includes(id)),
  }
}

/** The newest event that moved the order itself or one of these shipments; where there is none, the newest of all. */
function newest(movedBy: readonly MovedBy[], shipments: readonly (string | undefined)[]): string | null {
  const known = movedBy.filter(({ eventId }) => eventId !== null).toSorted((left, right) => left.number - right.number)
  const own = known.findLast(({ shipmentId }) => shipmentId === null || shipments.includes(shipmentId))
  return (own ?? known.at(-1))?.eventId ?? null
}

function drafted(
  { account, firedAt }: FateInput,
  record: JsonObject,
  { findings, state }: { readonly state: RecordState; readonly findings: readonly Finding[] },
): ReturnType<typeof draftEvents> {
  const read = { sentAt: firedAt, answeredAt: firedAt }
  const { id, lastEventId, memory, version } = state
  const detection = { account, resource: 'purchase_order', id, before: state, after: record, read } as const
  return draftEvents({ ...detection, mode: 'ring', absentAt: null, ignore: [], shipment: null }, findings, {
    version,
    lastEventId,
    memory,
  })
}
