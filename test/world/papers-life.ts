import type { Random } from '../../src/sandbox/random.ts'
import { dropped, edited } from './edits.ts'
import type { Assigned, Order, OrderLine, Paper, Place, Preparation } from './facts.ts'

const STATUSES = [null, 'booked', 'in_progress', 'finished', 'cancelled']
const SHIPMENTS = ['SHP-1', 'SHP-2', 'SHP-3']

export function bornDocument(random: Random, id: string): Paper {
  return { id, name: `Scan ${id}`, type: random.pick([null, 'cmr', 'eur1']), size: random.whole(1, 9_999) }
}

export function editDocument(random: Random, document: Paper): Paper {
  return random.pick([
    () => ({ ...document, type: random.pick([null, 'cmr', 'eur1', 't1']) }),
    () => ({ ...document, type: random.pick([null, 'cmr', 'eur1', 't1']) }),
    () => ({ ...document, name: `Scan ${random.whole(0, 99)}` }),
    () => ({ ...document, size: random.whole(1, 9_999) }),
  ])()
}

export function bornLocation(random: Random, id: string): Place {
  const contacts = [{ name: 'Ann', phone: '33140000001' }]
  return { id, name: `Warehouse ${id}`, zip_code: random.pick([null, '75011', '69001']), contacts }
}

export function editLocation(random: Random, location: Place): Place {
  const phone = String(random.whole(33_100_000_000, 33_199_999_999))
  return random.pick([
    () => ({ ...location, name: `Warehouse ${random.whole(0, 99)}` }),
    () => ({ ...location, zip_code: random.pick([null, '75011', '69001', '13002']) }),
    () => ({ ...location, contacts: edited(random, location.contacts, (each) => ({ ...each, phone })) }),
    () => ({
      ...location,
      contacts: [
        { name: 'Ann', phone },
        { name: 'Bob', phone: '33140000002' },
      ],
    }),
  ])()
}

export function bornPreparation(_random: Random, id: string): Preparation {
  const instructions = { target_pickup_date: null }
  return { name: `Order ${id}`, instructions, picking_references: ['P1', '77'], hazardous_details: null }
}

export function editPreparation(random: Random, preparation: Preparation): Preparation {
  const target_pickup_date = random.pick([null, '2031-03-01', '2031-03-02'])
  return random.pick([
    () => ({ ...preparation, name: `Order ${random.whole(0, 99)}` }),
    () => ({ ...preparation, instructions: { target_pickup_date } }),
    () => ({ ...preparation, picking_references: random.pick([['P1'], ['P1', '77'], ['77', 'P2']]) }),
    () => ({ ...preparation, hazardous_details: random.pick([null, 'UN1263', 'UN1950']) }),
  ])()
}

export function bornOrder(random: Random, id: string): Order {
  return { po_number: id, supplier_name: 'Acme', purchase_order_lines: [line(random, 'L1'), line(random, '20')] }
}

export function editOrder(random: Random, order: Order): Order {
  const lines = order.purchase_order_lines
  const free = ['L1', '20', 'L3'].filter((name) => lines.every(({ reference }) => reference !== name))
  const withLines = (next: readonly OrderLine[]): Order => ({ ...order, purchase_order_lines: next })
  return random.pick([
    () => ({ ...order, supplier_name: random.pick([null, 'Acme', 'Initech']) }),
    () => withLines(dropped(random, lines)),
    () => (free.length === 0 ? order : withLines([...lines, line(random, random.pick(free))])),
    () => withLines(edited(random, lines, (each) => ({ ...each, ordered_quantity: random.whole(1, 500) }))),
    () => withLines(lines.map((each) => restated(random, each))),
    () => withLines(edited(random, lines, (each) => editAssignments(random, each))),
    () => withLines(edited(random, lines, (each) => editAssignments(random, each))),
    () => withLines(edited(random, lines, (each) => editAssignments(random, each))),
  ])()
}

function line(random: Random, reference: string): OrderLine {
  const assigned = random.chance(0.5) ? [assignment(random, random.pick(SHIPMENTS))] : []
  return { reference, ordered_quantity: random.whole(1, 500), assigned_order_lines: assigned }
}

function editAssignments(random: Random, before: OrderLine): OrderLine {
  const assigned = before.assigned_order_lines
  const free = SHIPMENTS.filter((id) => assigned.every((each) => each.platform_shipment_id !== id))
  const next = random.pick([
    () => dropped(random, assigned),
    () => (free.length === 0 ? assigned : [...assigned, assignment(random, random.pick(free))]),
    () => edited(random, assigned, (each) => ({ ...each, shipment_status: random.pick(STATUSES) })),
    () => edited(random, assigned, (each) => ({ ...each, assigned_quantity: random.whole(1, 500) })),
    () => edited(random, assigned, (each) => ({ ...each, shipped_order_lines: shipped(random) })),
  ])()
  return { ...before, assigned_order_lines: next }
}

function assignment(random: Random, id: string): Assigned {
  return {
    platform_shipment_id: id,
    shipment_status: random.pick(STATUSES),
    assigned_quantity: random.whole(1, 500),
    shipped_order_lines: shipped(random),
  }
}

/** Each assignment as it is once its shipment has moved on; several lines repeat the same shipments. */
function restated(random: Random, before: OrderLine): OrderLine {
  const turned = before.assigned_order_lines.map((each) => ({ ...each, shipment_status: random.pick(STATUSES) }))
  return { ...before, assigned_order_lines: turned }
}

function shipped(random: Random): Assigned['shipped_order_lines'] {
  return ['MSKU1000001', 'MSKU1000002']
    .filter(() => random.chance(0.5))
    .map((container_number) => ({ container_number, shipped_quantity: random.whole(1, 500) }))
}
