import type { JsonObject } from '../../model/json.ts'
import type { Milestone } from '../../model/shipment.ts'
import { siteId } from '../catalogue/sites.ts'
import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'
import { dateTimeText, dayText } from './date-text.ts'
import { invoiceStanding, issuedInvoices } from './invoice-standing.ts'
import { readyDay } from './ready-day.ts'
import { renderBooking } from './render-booking.ts'
import { renderCargo } from './render-cargo.ts'
import { renderGoods } from './render-goods.ts'
import { shipmentStatus } from './shipment-status.ts'

/** A life's shipment at a moment, with every field of the interface in the interface's order; null: not known yet. */
export function renderShipment(life: Life, time: number): JsonObject {
  const { brief } = life
  const shownAt = Math.min(time, life.cancelledAt)
  const invoices = issuedInvoices(life, time)
  const requested = shownAt >= life.requestedAt
  return {
    name: brief.name,
    platform_shipment_id: brief.id,
    status: shipmentStatus(life, time),
    created_at: dateTimeText(brief.bornAt, brief.offsetMinutes),
    incoterm: brief.incoterm,
    freight_mode: brief.lane.mode,
    load_type: brief.loadType,
    freight_type: brief.freightType,
    route: renderRoute(life),
    cargo_ready_date: dayText(readyDay(life, shownAt)),
    desired_delivery_date: dayText(life.desiredDeliveryDay),
    specific_instructions: valueAt(life.instructions, shownAt) ?? null,
    main_forwarder: requested ? brief.forwarder : null,
    cargo: renderCargo(life, shownAt),
    transported_goods: renderGoods(brief.goods),
    commercial_value: { amount: life.cargo.value, currency: 'EUR' },
    needs_ad_valorem_insurance: brief.needsInsurance,
    purchase_order_references: brief.purchaseOrders,
    main_tracking_dates: renderDates(life, shownAt),
    booking_information: renderBooking(life, shownAt),
    invoice_status: invoiceStanding(invoices, time),
    invoice_references: invoices.map(({ number }) => number),
    accepted_quote: requested ? renderQuote(life, shownAt) : null,
  }
}

function startsAtDoor(life: Life): boolean {
  return life.brief.freightType.startsWith('door')
}

function endsAtDoor(life: Life): boolean {
  return life.brief.freightType.endsWith('door')
}

function renderRoute(life: Life): JsonObject {
  const { pickup, delivery, lane } = life.brief
  return {
    pickup_location_id: startsAtDoor(life) ? String(siteId(pickup)) : null,
    origin_port_unlocode: lane.origin.unlocode,
    destination_port_unlocode: lane.destination.unlocode,
    delivery_location_id: endsAtDoor(life) ? String(siteId(delivery)) : null,
  }
}

/** Pickup and delivery are no dates of a shipment that begins or ends at a port. */
function renderDates(life: Life, time: number): JsonObject {
  const date = (milestone: Milestone): JsonObject | null => {
    const shown = valueAt(life.course.milestones[milestone], time)
    return shown === undefined
      ? null
      : { date: dateTimeText(shown.instant, life.brief.offsetMinutes), status: shown.status }
  }
  return {
    pickup_date: startsAtDoor(life) ? date('pickup') : null,
    departure_date: date('departure'),
    arrival_date: date('arrival'),
    delivery_date: endsAtDoor(life) ? date('delivery') : null,
  }
}

function renderQuote(life: Life, time: number): JsonObject {
  const { brief, requestedAt, acceptedAt } = life
  return {
    id: `Q-${brief.id.slice('SHP-'.length)}`,
    request_date: dateTimeText(requestedAt, brief.offsetMinutes),
    accepted_date: time >= acceptedAt ? dateTimeText(acceptedAt, brief.offsetMinutes) : null,
  }
}
