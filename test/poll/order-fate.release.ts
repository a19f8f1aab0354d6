import { expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, textField, type JsonObject } from '../../src/model/json.ts'
import { randomOf, type Random } from '../../src/sandbox/random.ts'
import { NOTHING_TOLD, orderTruth, tell, type Told } from '../support/order-oracle.ts'
import { Polling, WATCH, WATCH_MORE } from './polling.ts'

const ORDERS = 5_000
const SHIPMENTS = 2_000
const TURNS = 3
const MOVES = 400
const ERA = Date.parse('2026-12-01T00:00:00Z')
const HOUR_MS = 3_600_000

/** Orders over one to five shipments each, as they are; what the platform shows of a list may be older. */
class Orders {
  readonly shipments = new Map<string, JsonObject>()
  readonly orders = new Map<string, JsonObject>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
    for (let each = 0; each < SHIPMENTS; each += 1) this.#ship(`SHP-${each}`)
    for (let each = 0; each < ORDERS; each += 1) this.#order(`PO-${each}`)
  }

  move(): void {
    const random = this.#random
    for (let each = 0; each < MOVES; each += 1) {
      if (random.chance(0.6)) this.#ship(`SHP-${random.whole(0, SHIPMENTS - 1)}`)
      else this.#order(`PO-${random.whole(0, ORDERS - 1)}`)
    }
  }

  #ship(id: string): void {
    const random = this.#random
    const entry = () => {
      const date = random.chance(0.1) ? null : new Date(ERA + random.whole(0, 1_000) * HOUR_MS).toISOString()
      return { date, status: random.pick(['estimated', 'planned', 'actual']) }
    }
    const dates = { delivery_date: random.chance(0.2) ? null : entry(), arrival_date: entry() }
    const status = random.chance(0.05) ? 'cancelled' : 'in_progress'
    this.shipments.set(id, { platform_shipment_id: id, name: id, status, main_tracking_dates: dates })
  }

  #order(id: string): void {
    const random = this.#random
    const on = new Set(Array.from({ length: random.whole(1, 5) }, () => `SHP-${random.whole(0, SHIPMENTS + 20)}`))
    const assigned_order_lines = [...on].map((shipment) => ({
      platform_shipment_id: shipment,
      assigned_quantity: random.whole(1, 5),
    }))
    const line = { reference: 'L1', ordered_quantity: random.whole(1, 12), assigned_order_lines }
    const day = new Date(ERA + random.whole(0, 40) * 24 * HOUR_MS).toISOString().slice(0, 10)
    const desired_delivery_date = random.chance(0.1) ? null : day
    this.orders.set(id, { po_number: id, desired_delivery_date, purchase_order_lines: [line] })
  }
}

/** What was told of each order, by what the platform showed at each pass. */
class Oracle {
  readonly #told = new Map<string, Told>()

  /** What is to be told now that the platform shows this. */
  turn(orders: readonly JsonObject[], shipments: readonly JsonObject[]): readonly string[] {
    const known = new Map(shipments.map((each) => [textField(each, 'platform_shipment_id') ?? '', each]))
    return orders.flatMap((order) => {
      const id = textField(order, 'po_number') ?? ''
      const truth = orderTruth(order, (shipment) => known.get(shipment))
      const { told, types } = tell(this.#told.get(id) ?? NOTHING_TOLD, truth)
      this.#told.set(id, told)
      return types.map((type) => `${id} ${type}`)
    })
  }

  /** The expected delivery of each order, as it was told last. */
  get due(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#told].map(([id, { due }]) => [id, due === null ? 'none' : `${due.at} ${due.status ?? ''}`]),
    )
  }
}

function dueOf({ extras, subject }: ShipbellEvent): readonly [id: string, due: string] {
  const to = field(extras, 'to')
  const date = textField(to, 'date')
  return [subject.id, date === null ? 'none' : `${Date.parse(date)} ${textField(to, 'status') ?? ''}`]
}

test('5,000 orders over up to five shipments, lists read in any order: each turn is told once, the last date is the true one', async () => {
  const random = randomOf('orders', 7)
  const world = new Orders(random)
  await using polling = new Polling({
    watch: { shipments: WATCH.shipments, purchase_orders: WATCH_MORE.purchase_orders },
    budget: { requests: 1_000_000, perMs: 60_000, concurrency: 4, share: 1 },
  })
  const { platform } = polling
  const oracle = new Oracle()
  const told = new Map<string, string>()
  const pass = async (...shown: readonly ('orders' | 'shipments')[]): Promise<void> => {
    if (shown.includes('orders')) platform.purchaseOrders = [...world.orders.values()]
    if (shown.includes('shipments')) platform.shipments = [...world.shipments.values()]
    const isFirst = told.size === 0
    const expected = oracle.turn(platform.purchaseOrders, platform.shipments)
    if (isFirst) for (const [id, due] of oracle.due) told.set(id, due)
    const rung = (await polling.pass()).filter(({ cause }) => cause === 'derived')
    const emitted = rung.map(({ subject, type }) => `${subject.id} ${type.replace('purchase_order.', '')}`)
    expect(emitted.toSorted()).toEqual(isFirst ? [] : expected.toSorted())
    for (const event of rung) if (event.type === 'purchase_order.eta_changed') told.set(...dueOf(event))
    expect(told).toEqual(oracle.due)
  }
  await pass('orders', 'shipments')
  for (let turn = 0; turn < TURNS; turn += 1) {
    world.move()
    await pass(random.pick(['orders', 'shipments']))
    world.move()
    await pass(random.pick(['orders', 'shipments']))
    await pass('orders', 'shipments')
  }
})
