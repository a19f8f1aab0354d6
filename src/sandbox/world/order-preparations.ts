import type { JsonObject } from '../../model/json.ts'
import { siteId } from '../catalogue/sites.ts'
import { dayText } from '../date-text.ts'
import { readyDay, type Life } from '../life/life.ts'
import { randomOf } from '../random.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Seeded preparations: OP-1 is that of the first shipment, OP-2 that of the third, and so on. */
export function orderPreparationShelf(fleet: Fleet): Pick<Shelf, 'find'> {
  return {
    find: (reference, time) => {
      const serial = Number(/^OP-([1-9]\d{0,8})$/.exec(reference)?.[1] ?? Number.NaN)
      const index = (serial - 1) * 2
      return index < fleet.countBy(time) ? renderOrderPreparation(fleet.nth(index), time) : null
    },
  }
}

/** Terms under which the buyer has the goods carried. */
const BUYERS_TERMS = new Set(['exw', 'fca', 'fob'])

/** The preparation of the goods of a life at their supplier's. The commercial invoice is written once it is booked. */
function renderOrderPreparation(life: Life, time: number): JsonObject {
  const { brief } = life
  const shownAt = Math.min(time, life.cancelledAt)
  const serial = brief.id.slice('SHP-'.length)
  const random = randomOf(brief.id, 'preparation')
  const certified = random.chance(0.3)
  return {
    client_role_on_order: BUYERS_TERMS.has(brief.incoterm) ? 'buyer' : 'seller',
    commercial_invoice_ids: shownAt >= life.acceptedAt ? [`CI-${serial}`] : [],
    customer_names_for_whom_order_is_prepared: [brief.delivery.company],
    external_user_ids: [`usr_${serial.slice(0, 4)}`],
    freight_method: brief.lane.mode,
    hazardous_details: brief.goods.hazard ?? null,
    incoterm: brief.incoterm,
    instructions: {
      should_label_packages: random.chance(0.6),
      should_palletise: life.cargo.loads.some(({ type }) => type === 'pallet'),
      origin_certification_type: certified ? 'chamber_of_commerce' : null,
      should_certify_commercial_invoices: certified,
      target_pickup_date: dayText(readyDay(life, shownAt)),
    },
    locations: {
      preparing_warehouse_id: String(siteId(brief.pickup)),
      delivery_location_id: String(siteId(brief.delivery)),
    },
    name: brief.name,
    on_behalf_of_client_id: `cli_${serial.slice(0, 4)}`,
    on_behalf_of_user_id: `usr_${serial.slice(0, 4)}`,
    owner_in_charge_of_moving_goods_in_fca_export: brief.incoterm === 'fca',
    picking_references: brief.purchaseOrders.map((number) => `PICK-${number}`),
    refrigerated_details: brief.goods.temperature ?? null,
    total_commercial_invoice_amount: shownAt >= life.acceptedAt ? life.cargo.value : null,
    total_commercial_invoice_amount_currency: 'EUR',
  }
}
