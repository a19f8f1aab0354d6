import { isJsonObject, type JsonObject } from '../../../src/model/json.ts'
import { worldShipment } from '../world-shipment.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2027, 0, 1)
const STATUSES = ['booked', 'in_progress', 'awaiting_booking'] as const

/** Each makes one event of a shipment; `round` is never the same twice for one shipment. */
const CHANGES: readonly ((shipment: JsonObject, round: number) => JsonObject)[] = [
  (shipment, round) => withDate(shipment, 'arrival_date', round),
  (shipment, round) => ({ ...shipment, specific_instructions: `Ramp ${round} is closed on Fridays after three.` }),
  (shipment, round) => withPart(shipment, 'transported_goods', { goods_description: `Cotton garments, lot ${round}` }),
  (shipment, round) => ({ ...shipment, main_forwarder: `Forwarder ${round}` }),
  (shipment, round) => withPart(shipment, 'route', { delivery_location_id: String(round) }),
]

/** So many shipments of which some change each round, other ones and by other fields than the round before. */
export class ChangingShipments {
  readonly #shipments: JsonObject[]
  #round = 0

  constructor(count: number) {
    this.#shipments = Array.from({ length: count }, (_, n) => worldShipment(n))
  }

  /** Every shipment, by one event each. */
  changeAll(): void {
    this.#round += 1
    for (const [n, shipment] of this.#shipments.entries()) {
      const change = CHANGES[(n + this.#round) % CHANGES.length]
      this.#shipments[n] = change?.(shipment, this.#round) ?? shipment
    }
  }

  /** A tenth of the shipments of every page: the status and a date. */
  changeTenth(): void {
    this.#round += 1
    for (const [n, shipment] of this.#shipments.entries()) {
      if ((n + this.#round) % 10 !== 0) continue
      const status = STATUSES[Math.floor(this.#round / 10) % STATUSES.length]
      this.#shipments[n] = { ...withDate(shipment, 'arrival_date', this.#round), status: status ?? null }
    }
  }

  page(skip: number, take: number): readonly JsonObject[] {
    return this.#shipments.slice(skip, skip + take)
  }
}

function withDate(shipment: JsonObject, milestone: string, round: number): JsonObject {
  const date = new Date(START + round * DAY_MS).toISOString()
  return withPart(shipment, 'main_tracking_dates', { [milestone]: { date, status: 'estimated' } })
}

function withPart(shipment: JsonObject, name: string, values: JsonObject): JsonObject {
  const part = shipment[name]
  return { ...shipment, [name]: { ...(isJsonObject(part) ? part : {}), ...values } }
}
