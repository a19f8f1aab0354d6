import { MILESTONES, same, type DateEntry, type Milestone, type Shipment } from './facts.ts'

const REACHED = { pickup: 'picked_up', departure: 'departed', arrival: 'arrived', delivery: 'delivered' } as const
const CHANGED = {
  pickup: 'pickup_date_changed',
  departure: 'etd_changed',
  arrival: 'eta_changed',
  delivery: 'delivery_date_changed',
} as const

/** The events of guarantee E1 for two successive truths of a shipment. */
export function expectedOfShipment(before: Shipment, after: Shipment): readonly string[] {
  return [
    ...(before.status === after.status ? [] : [`shipment.status_changed ${before.status}>${after.status}`]),
    ...MILESTONES.flatMap((milestone) => ofDate(milestone, before, after)),
    ...ofBooking(before, after),
    ...ofCargo(before, after),
    ...(before.invoice_status === after.invoice_status
      ? []
      : [`shipment.invoice_status_changed ${before.invoice_status ?? ''}>${after.invoice_status ?? ''}`]),
    ...PLANS.flatMap(([name, type]) => (same(before[name], after[name]) ? [] : [`shipment.${type}`])),
    ...(same(references(before), references(after)) ? [] : ['shipment.references_changed']),
    ...(same(rest(before), rest(after)) ? [] : ['shipment.updated']),
  ]
}

function ofDate(milestone: Milestone, before: Shipment, after: Shipment): readonly string[] {
  const from = before.main_tracking_dates[`${milestone}_date`]
  const to = after.main_tracking_dates[`${milestone}_date`]
  return same(from, to) ? [] : [`shipment.${dateEvent(milestone, from, to)} ${milestone}`]
}

/** The first row that applies. */
function dateEvent(milestone: Milestone, from: DateEntry, to: DateEntry): string {
  if (to?.status === 'actual' && from?.status !== 'actual') return REACHED[milestone]
  if (to?.status === 'problem' && from?.status !== 'problem') return 'problem_reported'
  if (from?.status === 'actual') return 'milestone_corrected'
  if (from?.status === 'problem' && to?.status !== 'problem') return 'problem_cleared'
  return CHANGED[milestone]
}

function ofBooking({ booking_information: before }: Shipment, after: Shipment): readonly string[] {
  const { booking_information: now, main_tracking_dates: dates } = after
  const names = ['vessel', 'voyage'] as const
  const was = before.ocean_booking
  const is = now.ocean_booking
  const isAnother = names.some((name) => was[name] !== null && is[name] !== null && was[name] !== is[name])
  const rolled = isAnother && dates.departure_date?.status !== 'actual'
  const others = before.carrier !== now.carrier || before.master_bill !== now.master_bill
  const updated = others || (!rolled && !same(was, is))
  return [...(rolled ? ['shipment.rolled'] : []), ...(updated ? ['shipment.booking_updated'] : [])]
}

function ofCargo({ cargo: before }: Shipment, { cargo: after }: Shipment): readonly string[] {
  const was = new Map(before.containers.map((each) => [each.container_number, each]))
  const is = new Map(after.containers.map((each) => [each.container_number, each]))
  const containers = [...new Set([...was.keys(), ...is.keys()])].flatMap((number) => {
    if (!was.has(number)) return [`shipment.container_added ${number}`]
    if (!is.has(number)) return [`shipment.container_removed ${number}`]
    return same(was.get(number), is.get(number)) ? [] : [`shipment.container_updated ${number}`]
  })
  return [...containers, ...(before.total_teus === after.total_teus ? [] : ['shipment.cargo_updated'])]
}

/** Fields that are told by an event of their own. */
const PLANS = [
  ['route', 'rerouted'],
  ['cargo_ready_date', 'cargo_ready_date_changed'],
  ['desired_delivery_date', 'desired_delivery_date_changed'],
  ['accepted_quote', 'quote_accepted'],
  ['transported_goods', 'goods_updated'],
] as const

function references({ purchase_order_references, invoice_references }: Shipment): unknown {
  return [purchase_order_references, invoice_references]
}

function rest({ name, commercial_value }: Shipment): unknown {
  return [name, commercial_value]
}
