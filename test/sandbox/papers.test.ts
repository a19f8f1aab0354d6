import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { documentSchema } from '../../src/platform/wire/document.ts'
import { locationSchema } from '../../src/platform/wire/location.ts'
import { orderPreparationSchema } from '../../src/platform/wire/order-preparation.ts'
import { purchaseOrderSchema } from '../../src/platform/wire/purchase-order.ts'
import { createWorld, type World } from '../../src/sandbox/world/world.ts'
import type { Shelf } from '../../src/sandbox/world/shelf.ts'
import { at, DAY, HOUR, objectsAt, START, textAt } from './spoken.ts'

const WORLDS = ['1', '2'].map((seed) => createWorld({ seed, shipments: 30, startAt: START }))
const TIMES = [START - 30 * DAY, START, START + 9.3 * DAY, START + 60 * DAY]

function all(shelf: Shelf, time: number): readonly JsonObject[] {
  return shelf.page({ skip: 0, take: 10_000 }, time)
}

function everywhere(check: (world: World, time: number) => void): void {
  for (const world of WORLDS) for (const time of TIMES) check(world, time)
}

function shipmentsById(world: World, time: number): ReadonlyMap<string, JsonObject> {
  return new Map(all(world.shipments, time).map((each) => [textAt(each, 'platform_shipment_id'), each]))
}

function linesOf(order: JsonObject): readonly JsonObject[] {
  return objectsAt(order, 'purchase_order_lines')
}

function assignmentsOf(order: JsonObject): readonly JsonObject[] {
  return linesOf(order).flatMap((line) => objectsAt(line, 'assigned_order_lines'))
}

function shippedOf(order: JsonObject): readonly JsonObject[] {
  return assignmentsOf(order).flatMap((each) => objectsAt(each, 'shipped_order_lines'))
}

describe('every record', () => {
  it('has every field of the interface, and no other', { tags: 'long' }, () => {
    everywhere((world, time) => {
      for (const [shelf, schema] of [
        [world.documents, documentSchema],
        [world.purchaseOrders, purchaseOrderSchema],
        [world.locations, locationSchema],
      ] as const) {
        for (const record of all(shelf, time)) {
          schema.parse(record)
          expect(Object.keys(record).sort()).toEqual(Object.keys(schema.shape).sort())
        }
      }
      const preparation = world.orderPreparations.find('OP-1', time)
      expect(Object.keys(preparation ?? {}).sort()).toEqual(Object.keys(orderPreparationSchema.shape).sort())
    })
  })

  it('is found by its id as its list shows it, and ids are unique', () => {
    everywhere((world, time) => {
      for (const [shelf, idField] of [
        [world.documents, 'id'],
        [world.purchaseOrders, 'po_number'],
        [world.locations, 'id'],
      ] as const) {
        const records = all(shelf, time)
        for (const record of records) expect(shelf.find(textAt(record, idField), time)).toEqual(record)
        expect(new Set(records.map((record) => textAt(record, idField))).size).toBe(records.length)
      }
    })
  })

  it('depends on seed and time alone, not on earlier questions', () => {
    const options = { seed: 'pure', shipments: 15, startAt: START }
    const used = createWorld(options)
    for (const time of [START + 40 * DAY, START, START + 12 * DAY]) {
      const fresh = createWorld(options)
      for (const name of ['documents', 'purchaseOrders', 'locations'] as const)
        expect(all(used[name], time)).toEqual(all(fresh[name], time))
      expect(used.orderPreparations.find('OP-3', time)).toEqual(fresh.orderPreparations.find('OP-3', time))
    }
  })

  it('of a list keeps its place: those that come later stand before it', () => {
    for (const world of WORLDS) {
      for (const [shelf, idField] of [
        [world.documents, 'id'],
        [world.purchaseOrders, 'po_number'],
      ] as const) {
        const ids = (time: number): readonly string[] => all(shelf, time).map((record) => textAt(record, idField))
        const before = ids(START)
        const after = ids(START + 5 * DAY)
        expect(after.length).toBeGreaterThan(before.length)
        expect(after.slice(-before.length)).toEqual(before)
      }
    }
  })
})

describe('documents', () => {
  it('belong to shipments that are there, and none comes after a cancellation', () => {
    everywhere((world, time) => {
      const shipments = shipmentsById(world, time)
      for (const document of all(world.documents, time))
        expect(shipments.has(textAt(document, 'platform_shipment_id'))).toBe(true)
    })
    for (const world of WORLDS) {
      const later = shipmentsById(world, START + 60 * DAY)
      const cancelled = [...shipmentsById(world, START)].filter(([id]) => at(later.get(id), 'status') === 'cancelled')
      const count = (id: string, time: number): number =>
        all(world.documents, time).filter((each) => each['platform_shipment_id'] === id).length
      for (const [id, shipment] of cancelled)
        if (shipment['status'] === 'cancelled') expect(count(id, START + 60 * DAY)).toBe(count(id, START))
    }
  })

  it('appear as the shipment moves: a draft has none, a finished one its bill', () => {
    everywhere((world, time) => {
      const types = Map.groupBy(all(world.documents, time), (each) => textAt(each, 'platform_shipment_id'))
      for (const [id, shipment] of shipmentsById(world, time)) {
        const own = types.get(id) ?? []
        if (shipment['status'] === 'draft') expect(own).toEqual([])
        if (shipment['status'] === 'finished') expect(own.length).toBeGreaterThan(3)
        if (own.some(({ type }) => type === 'master_bill_of_lading'))
          expect(at(shipment, 'booking_information', 'master_bill')).not.toBeNull()
      }
    })
  })

  it('are sometimes classified only later', () => {
    const [world] = WORLDS
    const types = new Map<string, Set<Json | undefined>>()
    for (let time = START; time < START + 20 * DAY; time += 6 * HOUR)
      for (const document of all(world!.documents, time)) {
        const id = textAt(document, 'id')
        types.set(id, (types.get(id) ?? new Set()).add(document['type']))
      }
    expect([...types.values()].some((seen) => seen.has(null) && seen.size === 2)).toBe(true)
    expect([...types.values()].every((seen) => seen.size <= 2)).toBe(true)
  })
})

describe('purchase orders', () => {
  it('are those that shipments name, line by line assigned to them with their status', { tags: 'long' }, () => {
    everywhere((world, time) => {
      const shipments = shipmentsById(world, time)
      const orders = new Map(all(world.purchaseOrders, time).map((each) => [textAt(each, 'po_number'), each]))
      for (const [id, shipment] of shipments)
        for (const number of objectsOrTexts(shipment['purchase_order_references'])) {
          const order = orders.get(number)
          expect(order).toBeDefined()
          const own = assignmentsOf(order ?? {}).filter((each) => each['platform_shipment_id'] === id)
          for (const each of own) expect(each['shipment_status']).toBe(shipment['status'])
        }
      for (const [number, order] of orders)
        for (const each of assignmentsOf(order)) {
          const shipment = shipments.get(textAt(each, 'platform_shipment_id'))
          expect(objectsOrTexts(shipment?.['purchase_order_references'])).toContain(number)
        }
    })
  })

  it('are spread over up to five shipments, the parts of which make the whole', () => {
    const spreads = new Set<number>()
    everywhere((world, time) => {
      for (const order of all(world.purchaseOrders, time))
        for (const line of linesOf(order)) {
          const assigned = objectsAt(line, 'assigned_order_lines')
          spreads.add(assigned.length)
          const quantity = assigned.reduce((sum, each) => sum + Number(each['assigned_quantity']), 0)
          expect(quantity).toBeLessThanOrEqual(Number(line['ordered_quantity']))
        }
    })
    expect(spreads).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  })

  it('are placed before their shipment is drafted, and assigned from then on', () => {
    everywhere((world, time) => {
      const unassigned = all(world.purchaseOrders, time).filter((order) => assignmentsOf(order).length === 0)
      expect(unassigned.length).toBeGreaterThan(0)
    })
  })

  it('ship no more than was ordered, in containers of the shipment, and all of it in the end', () => {
    everywhere((world, time) => {
      const shipments = shipmentsById(world, time)
      for (const order of all(world.purchaseOrders, time))
        for (const line of linesOf(order))
          for (const assigned of objectsAt(line, 'assigned_order_lines')) {
            const shipment = shipments.get(textAt(assigned, 'platform_shipment_id'))
            const boxes = objectsAt(shipment, 'cargo', 'containers').map((each) => each['container_number'])
            const shipped = objectsAt(assigned, 'shipped_order_lines')
            const quantity = shipped.reduce((sum, each) => sum + Number(each['shipped_quantity']), 0)
            expect(Number(assigned['assigned_quantity'])).toBeLessThanOrEqual(Number(line['ordered_quantity']))
            expect(quantity).toBeLessThanOrEqual(Number(assigned['assigned_quantity']))
            if (shipment?.['status'] === 'finished') expect(quantity).toBe(assigned['assigned_quantity'])
            if (shipment?.['status'] === 'draft') expect(shipped).toEqual([])
            for (const { container_number: box } of shipped) if (box !== null) expect(boxes).toContain(box)
          }
    })
  })

  it('grow: lines get assigned, quantities corrected, boxes sealed, weights taken', { tags: 'long' }, () => {
    const [world] = WORLDS
    const seen = new Set<string>()
    let before = new Map<string, JsonObject>()
    for (let time = START; time < START + 30 * DAY; time += 6 * HOUR) {
      const after = new Map(all(world!.purchaseOrders, time).map((each) => [textAt(each, 'po_number'), each]))
      for (const [number, order] of after) note(seen, before.get(number), order)
      before = after
    }
    for (const kind of ['assigned', 'quantity', 'shipped', 'weighed', 'status', 'ex factory'])
      expect(seen).toContain(kind)
  })

  it('render some of their numbers as numbers, each always alike', () => {
    const numbers = WORLDS.flatMap((world) => all(world.purchaseOrders, START).map((each) => each['po_number']))
    expect(new Set(numbers.map((each) => typeof each))).toEqual(new Set(['string', 'number']))
  })
})

function note(seen: Set<string>, before: JsonObject | undefined, after: JsonObject): void {
  if (before === undefined) return
  const [was, is] = [assignmentsOf(before), assignmentsOf(after)]
  if (is.length > was.length) seen.add('assigned')
  if (before['desired_ex_factory_date'] !== after['desired_ex_factory_date']) seen.add('ex factory')
  if (shippedOf(after).length > shippedOf(before).length) seen.add('shipped')
  if (is.length !== was.length) return
  for (const [index, each] of is.entries()) {
    if (each['assigned_quantity'] !== was[index]?.['assigned_quantity']) seen.add('quantity')
    if (each['shipment_status'] !== was[index]?.['shipment_status']) seen.add('status')
  }
  const weights = (order: JsonObject): readonly Json[] => shippedOf(order).map((each) => each['gross_weight'] ?? null)
  if (
    weights(before).length === weights(after).length &&
    weights(before).some((kg, index) => kg !== weights(after)[index])
  )
    seen.add('weighed')
}

function objectsOrTexts(value: Json | undefined): readonly string[] {
  return [value].flat().map(String)
}

describe('locations', () => {
  it('are those that routes and tracking name, by id', () => {
    everywhere((world, time) => {
      const records = all(world.locations, time)
      const ids = records.map((each) => Number(each['id']))
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
      for (const [id, shipment] of shipmentsById(world, time)) {
        for (const end of ['pickup_location_id', 'delivery_location_id']) {
          const named = at(shipment, 'route', end)
          if (named !== null) expect(ids).toContain(Number(named))
        }
        for (const step of objectsAt(world.tracking.find(id, time) ?? undefined, 'tracking_steps')) {
          const shown = records.find((each) => each['id'] === at(step, 'location', 'id'))
          if (step['location'] !== null) expect(shown?.['address']).toBe(at(step, 'location', 'address'))
        }
      }
    })
  })

  it('are few at first where shipments are few, and change their opening hours now and then', () => {
    const world = createWorld({ seed: 'few', shipments: 3, startAt: START })
    const count = (time: number): number => all(world.locations, time).length
    expect(count(START)).toBeLessThanOrEqual(6)
    expect(count(START + 400 * DAY)).toBeGreaterThan(count(START))
    const hours = Array.from({ length: 12 }, (_, month) =>
      textAt(all(world.locations, START + month * 30 * DAY)[0], 'opening_hours'),
    )
    expect(new Set(hours).size).toBeGreaterThan(1)
  })
})

describe('order preparations', () => {
  it('prepare the goods of a shipment, and follow its pickup', () => {
    const [world] = WORLDS
    const seen = new Set<string>()
    for (let time = START; time < START + 40 * DAY; time += 6 * HOUR) {
      const preparation = world!.orderPreparations.find('OP-21', time)
      if (preparation !== null) seen.add(JSON.stringify(preparation))
    }
    expect(seen.size).toBeGreaterThan(1)
    const names = all(world!.shipments, START).map((each) => each['name'])
    expect(names).toContain(world!.orderPreparations.find('OP-1', START)?.['name'])
    expect(world!.orderPreparations.find('OP-500', START)).toBeNull()
  })
})
