import type { Random } from '../../src/sandbox/random.ts'
import { amount, dropped, edited, someDate, someDay } from './edits.ts'
import { MILESTONES, type Container, type DateEntry, type Shipment } from './facts.ts'

const STATUSES = [
  'draft',
  'booking_request',
  'awaiting_booking',
  'booked',
  'in_progress',
  'finished',
  'cancelled',
  'new',
]
const DATE_STATUSES = ['planned', 'estimated', 'actual', 'problem'] as const
const INVOICE_STATUSES = [null, 'available', 'awaiting_invoice', 'due', 'paid'] as const

export function bornShipment(random: Random, id: string, era: number): Shipment {
  return {
    platform_shipment_id: id,
    name: `Shipment ${id}`,
    status: random.pick(STATUSES),
    invoice_status: random.pick(INVOICE_STATUSES),
    desired_delivery_date: random.pick([null, someDay(random, era)]),
    cargo_ready_date: random.pick([null, someDay(random, era)]),
    route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: random.pick([null, 'FRLEH']) },
    accepted_quote: null,
    transported_goods: { goods_description: 'Chairs', is_hazardous: false },
    invoice_references: [],
    purchase_order_references: ['4500001', 'PO-7'],
    commercial_value: { amount: amount(random), currency: 'EUR' },
    main_tracking_dates: {
      pickup_date: dateEntry(random, era),
      departure_date: dateEntry(random, era),
      arrival_date: dateEntry(random, era),
      delivery_date: dateEntry(random, era),
    },
    booking_information: {
      carrier: random.pick([null, 'Maersk', 'CMA CGM']),
      master_bill: random.pick([null, '123456789']),
      ocean_booking: { vessel: random.pick([null, 'Ever Given']), voyage: random.pick([null, '71', '012W']) },
    },
    cargo: { total_teus: random.whole(1, 9), containers: [container(random, 1), container(random, 2)] },
  }
}

type Edit = (random: Random, shipment: Shipment, era: number) => Shipment

const EDITS: readonly Edit[] = [
  (random, shipment) => ({ ...shipment, status: random.pick(STATUSES) }),
  (random, shipment) => ({ ...shipment, invoice_status: random.pick(INVOICE_STATUSES) }),
  (random, shipment) => ({ ...shipment, name: `Shipment ${random.whole(0, 99)}` }),
  (random, shipment) => ({ ...shipment, commercial_value: { amount: amount(random), currency: 'EUR' } }),
  (random, shipment) => ({
    ...shipment,
    purchase_order_references: toggled(shipment.purchase_order_references, String(random.whole(4_500_001, 4_500_004))),
  }),
  (random, shipment, era) => ({ ...shipment, desired_delivery_date: random.pick([null, someDay(random, era)]) }),
  (random, shipment, era) => ({ ...shipment, cargo_ready_date: random.pick([null, someDay(random, era)]) }),
  (random, shipment) => ({
    ...shipment,
    invoice_references: toggled(shipment.invoice_references, String(random.whole(901, 904))),
  }),
  editPlan,
  editPlan,
  editDate,
  editDate,
  editDate,
  editDate,
  editBooking,
  editBooking,
  editCargo,
  editCargo,
]

export function editShipment(random: Random, shipment: Shipment, era: number): Shipment {
  return random.pick(EDITS)(random, shipment, era)
}

function dateEntry(random: Random, era: number): DateEntry {
  return random.chance(0.2) ? null : { date: someDate(random, era), status: random.pick(DATE_STATUSES) }
}

function editDate(random: Random, shipment: Shipment, era: number): Shipment {
  const name = `${random.pick(MILESTONES)}_date` as const
  const before = shipment.main_tracking_dates[name]
  const after =
    before !== null && random.chance(0.6)
      ? random.chance(0.5)
        ? { ...before, status: random.pick(DATE_STATUSES) }
        : { ...before, date: someDate(random, era) }
      : dateEntry(random, era)
  return { ...shipment, main_tracking_dates: { ...shipment.main_tracking_dates, [name]: after } }
}

/** Where it goes, what it carries and by which quote. */
function editPlan(random: Random, shipment: Shipment, era: number): Shipment {
  const { route, transported_goods: goods } = shipment
  return random.pick([
    () => ({
      ...shipment,
      route: { ...route, destination_port_unlocode: random.pick([null, 'FRLEH', 'BEANR', 'NLRTM']) },
    }),
    () => ({
      ...shipment,
      transported_goods: { ...goods, goods_description: random.pick([null, 'Chairs', 'Tables']) },
    }),
    () => ({ ...shipment, transported_goods: { ...goods, is_hazardous: random.chance(0.5) } }),
    () => ({
      ...shipment,
      accepted_quote: random.pick([null, { id: `Q-${random.whole(1, 3)}`, accepted_date: someDate(random, era) }]),
    }),
  ])()
}

function editBooking(random: Random, shipment: Shipment): Shipment {
  const before = shipment.booking_information
  const sea = before.ocean_booking
  const booking_information = random.pick([
    () => ({ ...before, carrier: random.pick([null, 'Maersk', 'MSC', 'ONE']) }),
    () => ({ ...before, master_bill: random.pick([null, '123456789', '987654321']) }),
    () => ({ ...before, ocean_booking: { ...sea, vessel: random.pick([null, 'Ever Given', 'Ever Ace', 'Madrid']) } }),
    () => ({ ...before, ocean_booking: { ...sea, voyage: random.pick([null, '71', '72', '012W']) } }),
  ])()
  return { ...shipment, booking_information }
}

function editCargo(random: Random, { cargo, ...shipment }: Shipment): Shipment {
  const { containers } = cargo
  const free = [1, 2, 3, 4].filter((each) => containers.every((one) => one.container_number !== containerNumber(each)))
  const next = random.pick([
    () => ({ ...cargo, total_teus: random.whole(1, 9) }),
    () => ({ ...cargo, containers: dropped(random, containers) }),
    () => (free.length === 0 ? cargo : { ...cargo, containers: [...containers, container(random, random.pick(free))] }),
    () => ({ ...cargo, containers: edited(random, containers, (each) => editContainer(random, each)) }),
    () => ({ ...cargo, containers: edited(random, containers, (each) => editContainer(random, each)) }),
  ])()
  return { ...shipment, cargo: next }
}

function container(random: Random, number: number): Container {
  return {
    container_number: containerNumber(number),
    container_type: random.pick(['twenty_foot_standard', 'forty_foot_standard']),
    seal_number: random.pick([null, '778899']),
    purchase_order_references: ['4500001'],
  }
}

function editContainer(random: Random, before: Container): Container {
  return random.pick([
    () => ({ ...before, container_type: random.pick(['twenty_foot_standard', 'forty_foot_reefer']) }),
    () => ({ ...before, seal_number: random.pick([null, '778899', '112233']) }),
    () => ({ ...before, purchase_order_references: toggled(before.purchase_order_references, '4500002') }),
  ])()
}

function containerNumber(number: number): string {
  return `MSKU100000${number}`
}

/** Kept in order, so that one set has one rendering. */
function toggled(set: readonly string[], element: string): readonly string[] {
  return set.includes(element) ? set.filter((each) => each !== element) : [...set, element].sort()
}
