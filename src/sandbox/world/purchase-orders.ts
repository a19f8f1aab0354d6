import type { JsonObject } from '../../model/json.ts'
import { dayText } from '../date-text.ts'
import { shipmentStatus, type Life } from '../life/life.ts'
import { LONGEST_LEAD, placeOrders, type OrderLife, type OrderLine } from '../life/place-orders.ts'
import { carriersOf, partOf } from '../life/split-orders.ts'
import { valueAt } from '../life/timeline.ts'
import { fleetShelf } from './fleet-shelf.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Purchase orders by the moment of their placing; those of shipments that are not drafted yet as well. */
export function purchaseOrderShelf(fleet: Fleet): Shelf {
  return fleetShelf({
    fleet,
    leadMs: LONGEST_LEAD,
    thingsOf: (life) => placeOrders(life).map((order) => ({ id: order.number, at: order.at, life, order })),
    render: ({ life, order }, time) => renderPurchaseOrder(carriersOf(fleet, life), order, time),
  })
}

/** An order at a moment, from its placing on, as far as its shipments have come. */
function renderPurchaseOrder(carriers: Carriers, order: OrderLife, time: number): JsonObject {
  const [{ life }] = carriers
  return {
    po_number: renderNumber(order.number, life.brief.index),
    supplier_name: order.supplier,
    purchase_order_lines: order.lines.map((line) => renderLine(carriers, { order, line }, time)),
    desired_ex_factory_date: dayText(valueAt(order.exFactoryDay, time) ?? 0),
    desired_delivery_date: dayText(Math.max(...carriers.map((each) => each.life.desiredDeliveryDay))),
    custom_parameters: [
      { name: 'season', value: order.season },
      { name: 'destination', value: life.brief.delivery.city },
    ],
  }
}

/** A number as it is rendered: half of those that are all digits as numbers; each always alike. */
function renderNumber(number: string, index: number): string | number {
  return /^\d+$/.test(number) && index % 2 === 0 ? Number(number) : number
}

interface LineOfOrder {
  readonly order: OrderLife
  readonly line: OrderLine
}

function renderLine(carriers: Carriers, { order, line }: LineOfOrder, time: number): JsonObject {
  const { goods } = line
  return {
    reference: line.reference,
    product: {
      sku: line.sku,
      name: `${goods.description.split(',')[0] ?? ''}, ${line.variant}`,
      hs_code: goods.hsCode,
      description: goods.description,
      is_hazardous: goods.hazard === undefined ? 'false' : 'true',
      hazardous_description: goods.hazard ?? null,
      custom_parameters: [{ name: 'variant', value: line.variant }],
    },
    ordered_quantity: line.quantity,
    unit_price: { amount: line.unitPrice, currency: 'EUR' },
    assigned_order_lines: carriers.flatMap((carrier) => {
      const { life, nth } = carrier
      const assigned = assignedTo(carrier, { line, carriers: carriers.length }, time)
      if (assigned === null) return []
      const quantity = partOf(line.quantity, nth, carriers.length)
      return [
        {
          platform_shipment_id: life.brief.id,
          shipment_status: shipmentStatus(life, time),
          assigned_quantity: assigned,
          shipped_order_lines: renderShippedLines(life, { number: order.number, line, quantity }, time),
        },
      ]
    }),
  }
}

type Carriers = ReturnType<typeof carriersOf>

/** How many of a line are assigned to one of its carriers; null: it has none of them, or none yet. */
function assignedTo(
  { assignedAt, life, nth }: Carriers[number],
  { carriers, line }: { readonly line: OrderLine; readonly carriers: number },
  time: number,
): number | null {
  const part = partOf(line.quantity, nth, carriers)
  if (part === 0) return null
  if (assignedAt !== null) return time >= assignedAt ? part : null
  const assigned = valueAt(line.assigned, Math.min(time, life.cancelledAt))
  return assigned === undefined ? null : Math.ceil((assigned * part) / line.quantity)
}

const NET_PART = 0.94
const KG_PER_PACKAGE = 18

/** What of an order's line is on its way: in each box of the order once it is sealed, or unboxed from the pickup on. */
function renderShippedLines(
  life: Life,
  { number, line, quantity }: { readonly number: string; readonly line: OrderLine; readonly quantity: number },
  time: number,
): readonly JsonObject[] {
  const shownAt = Math.min(time, life.cancelledAt)
  const boxes = (life.cargo.containers.at(-1)?.value ?? []).filter((box) => box.purchaseOrders.includes(number))
  if (boxes.length === 0) {
    return shownAt < life.course.facts.pickup.reportedAt
      ? []
      : [shipped(life, { line, quantity, nth: 0, of: 1, box: null }, time)]
  }
  const sealed = new Set(
    (valueAt(life.cargo.containers, shownAt) ?? []).filter(({ seal }) => seal !== null).map((box) => box.number),
  )
  return boxes.flatMap((box, nth) =>
    sealed.has(box.number) ? [shipped(life, { line, quantity, nth, of: boxes.length, box: box.number }, time)] : [],
  )
}

interface Part {
  readonly line: OrderLine
  /** How many of the line go with the shipment. */
  readonly quantity: number
  /** The how manieth of how many boxes. */
  readonly nth: number
  readonly of: number
  readonly box: string | null
}

/** The scales at the pickup know the weight better than the order did: it follows that of the shipment. */
function shipped(life: Life, { line, quantity: whole, nth, of, box }: Part, time: number): JsonObject {
  const quantity = partOf(whole, nth, of)
  const share = (line.share * quantity) / line.quantity
  const gross = share * (valueAt(life.cargo.weightKg, Math.min(time, life.cancelledAt)) ?? 0)
  const boxed = life.cargo.loads[0]?.type ?? 'package'
  return {
    container_number: box,
    shipped_quantity: quantity,
    packaging_total_volume: rounded(share * life.cargo.volumeCbm, 3),
    number_of_packages: Math.max(1, Math.ceil((quantity * line.goods.kgPerPiece) / KG_PER_PACKAGE)),
    packaging_type: boxed === 'rigid_crate' ? 'crate' : 'carton',
    net_weight: rounded(gross * NET_PART, 1),
    gross_weight: rounded(gross, 1),
    volume_unit: 'cbm',
    weight_unit: 'kg',
  }
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
