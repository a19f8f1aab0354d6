import type { Json, JsonObject } from '../../model/json.ts'
import type { Milestone } from '../../model/shipment.ts'
import type { Goods } from '../catalogue/goods.ts'
import { siteId } from '../catalogue/sites.ts'
import { dateTimeText, dayText } from '../date-text.ts'
import type { InvoiceLife } from '../life/bill.ts'
import type { InvoiceStatus } from '../life/collect.ts'
import { readyDay, shipmentStatus, type Life } from '../life/life.ts'
import type { Container, Load } from '../life/pack-cargo.ts'
import { guestOrders } from '../life/split-orders.ts'
import { valueAt } from '../life/timeline.ts'
import type { Fleet } from './fleet.ts'
import { rememberLast } from './remember-last.ts'
import type { Shelf } from './shelf.ts'

export function shipmentShelf(fleet: Fleet): Shelf {
  const guestsOf = (life: Life) => guestOrders(fleet, life)
  const render = rememberLast((life, time) => {
    const guests = guestsOf(life).filter(({ at }) => at <= time)
    return renderShipment(
      life,
      time,
      guests.flatMap(({ value }) => value),
    )
  }, guestsOf)
  return {
    page: ({ skip, take }, time) => {
      const newest = fleet.countBy(time) - 1 - skip
      const rows = Math.max(0, Math.min(take, newest + 1))
      return Array.from({ length: rows }, (_, row) => render(fleet.nth(newest - row), time))
    },
    find: (id, time) => {
      const life = fleet.byId(id, time)
      return life === null ? null : render(life, time)
    },
  }
}

/** A life's shipment at a moment, with the orders of others that it carries a part of, with every field of the interface in the interface's order; null: not known yet. */
export function renderShipment(life: Life, time: number, guests: readonly string[] = []): JsonObject {
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
    purchase_order_references: [...brief.purchaseOrders, ...guests],
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

/** IATA: a cubic metre counts as at least 167 kg (1:6000). */
const KG_PER_CBM = 167

function renderBooking(life: Life, time: number): JsonObject {
  const booking = valueAt(life.booking, time)
  const { ocean = null, flightNumber = null } = booking ?? {}
  return {
    carrier: booking?.carrier ?? null,
    master_bill: booking?.masterBill ?? null,
    house_bill: booking?.houseBill ?? null,
    ocean_booking: ocean === null ? null : { booking_number: ocean.number, voyage: ocean.voyage, vessel: ocean.vessel },
    air_booking:
      flightNumber === null ? null : { flight_number: flightNumber, chargeable_weight: chargeable(life, time) },
  }
}

function chargeable(life: Life, time: number): JsonObject {
  const weight = valueAt(life.cargo.weightKg, time) ?? 0
  return kilograms(Math.ceil(Math.max(weight, life.cargo.volumeCbm * KG_PER_CBM) * 2) / 2)
}

function renderCargo(life: Life, time: number): JsonObject {
  const { cargo } = life
  return {
    total_weight: kilograms(valueAt(cargo.weightKg, time) ?? 0),
    total_volume: { value: cargo.volumeCbm, unit: 'cbm' },
    total_teus: cargo.teus,
    containers: (valueAt(cargo.containers, time) ?? []).map(renderContainer),
    loads: cargo.loads.map(renderLoad),
  }
}

function kilograms(value: number): JsonObject {
  return { value, unit: 'kg' }
}

/** The interface allows numbers for seals and order references: some records render them so. */
function renderContainer(container: Container): JsonObject {
  const { seal, sealIsNumber } = container
  return {
    container_type: container.type,
    container_number: container.number,
    seal_number: sealIsNumber && seal !== null ? Number(seal) : seal,
    purchase_order_references: container.purchaseOrders.map((order): Json =>
      /^\d+$/.test(order) ? Number(order) : order,
    ),
  }
}

function renderLoad(load: Load): JsonObject {
  const [length, width, height] = load.sizeCm
  return {
    count: load.count,
    type: load.type,
    weight: kilograms(load.weightKg),
    volume_unit: 'cbm',
    length: centimetres(length),
    width: centimetres(width),
    height: centimetres(height),
  }
}

function centimetres(value: number): JsonObject {
  return { value, unit: 'cm' }
}

function renderGoods(goods: Goods): JsonObject {
  return {
    goods_description: goods.description,
    is_stackable: goods.stackable,
    is_hazardous: goods.hazard !== undefined,
    hazardous_description: goods.hazard ?? null,
    contains_lithium: goods.lithium !== undefined,
    lithium_packaging_type: goods.lithium ?? null,
    contains_magnets: goods.magnets ?? false,
    needs_controlled_temperature: goods.temperature !== undefined,
    temperature_range_description: goods.temperature ?? null,
  }
}

type ShipmentInvoiceStatus = 'available' | 'awaiting_invoice' | 'due' | 'paid' | 'partially_paid'

/** The invoices of a life that have been issued by a moment. */
function issuedInvoices(life: Life, time: number): readonly InvoiceLife[] {
  return life.invoices.filter(({ at }) => at <= time && at < life.cancelledAt)
}

/** `invoice_status` of a shipment, of its invoices (credit notes do not count): the most urgent one speaks for all. */
function invoiceStanding(issued: readonly InvoiceLife[], time: number): ShipmentInvoiceStatus {
  const statuses = issued.filter(({ type }) => type === 'invoice').map(({ status }) => valueAt(status, time))
  if (statuses.length === 0) return 'awaiting_invoice'
  if (statuses.includes('due')) return 'due'
  if (statuses.every(isSettled)) return 'paid'
  return statuses.some((status) => status === 'partially_paid' || isSettled(status)) ? 'partially_paid' : 'available'
}

function isSettled(status: InvoiceStatus | undefined): boolean {
  return status === 'paid' || status === 'write_off'
}
