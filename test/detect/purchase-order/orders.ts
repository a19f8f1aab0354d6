import { deriveFate, type DerivedFate, type FateInput } from '../../../src/detect/purchase-order/order-fate.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { newRecordState, type RecordState } from '../../../src/model/record-state.ts'

/** An order line: how much was ordered, and how much of it goes with which shipments. */
export interface Line {
  readonly ordered: number | string | null
  readonly on?: Readonly<Record<string, number | string>>
}

export interface Shipment {
  readonly delivery?: readonly [date: string | null, status: string]
  readonly arrival?: readonly [date: string | null, status: string]
  readonly status?: string
  readonly isGone?: true
}

export type Shipments = Readonly<Record<string, Shipment>>

export function order(lines: readonly Line[], desired: string | null = '2026-12-18'): JsonObject {
  const purchase_order_lines = lines.map(({ on = {}, ordered }, index) => ({
    reference: `L-${index}`,
    ordered_quantity: ordered,
    assigned_order_lines: Object.entries(on).map(([platform_shipment_id, assigned_quantity]) => ({
      platform_shipment_id,
      shipment_status: 'booked',
      assigned_quantity,
      shipped_order_lines: [],
    })),
  }))
  return { po_number: 'PO-1', purchase_order_lines, desired_delivery_date: desired }
}

function stateOf(record: JsonObject, before?: RecordState): RecordState {
  const read = { sentAt: 1, answeredAt: 2 }
  const state = before ?? newRecordState({ resource: 'purchase_order', id: 'PO-1' }, { read, atBaseline: true })
  return { ...state, seen: record, reported: record, removedAt: null }
}

function dateOf([date, status]: readonly [string | null, string]): JsonObject {
  return { date, status }
}

/** Shipments as events have reported them. */
export function reported(shipments: Shipments): FateInput['shipments'] {
  const all = Object.entries(shipments).map(([id, { arrival, delivery, isGone, status = 'in_progress' }]) => {
    const dates = {
      ...(delivery && { delivery_date: dateOf(delivery) }),
      ...(arrival && { arrival_date: dateOf(arrival) }),
    }
    const record = { platform_shipment_id: id, status, main_tracking_dates: dates }
    return [id, { id, reported: record, removedAt: isGone === true ? 5 : null }] as const
  })
  return new Map(all)
}

/** An order from look to look, each told what the one before left. */
export class Looks {
  #state: RecordState | undefined
  readonly #timeZone: string

  constructor(timeZone = 'UTC') {
    this.#timeZone = timeZone
  }

  look(
    record: JsonObject,
    shipments: Shipments,
    more: Partial<Pick<FateInput, 'isNew' | 'movedBy'>> & { readonly isGone?: true } = {},
  ): DerivedFate {
    const { isGone, isNew = false, movedBy = [] } = more
    const known = stateOf(record, this.#state)
    const state = isGone === true ? { ...known, removedAt: 9 } : known
    const by = { account: 'acme', timeZone: this.#timeZone, firedAt: 100, isNew, movedBy }
    const derived = deriveFate({ ...by, order: state, shipments: reported(shipments) })
    this.#state = derived.state
    return derived
  }

  /** The types of a look's events, without their family. */
  types(...look: Parameters<Looks['look']>): readonly string[] {
    return this.look(...look).events.map(({ type }) => type.replace('purchase_order.', ''))
  }
}
