import { randomOf, type Random } from '../random.ts'
import type { Life } from './life.ts'
import { DAY, HOUR } from './pace.ts'
import type { Timeline } from './timeline.ts'

/** One file of a shipment, from its upload on. */
export interface DocumentLife {
  readonly id: string
  readonly name: string
  readonly at: number
  /** The type of the document; null: nobody has said yet what it is. */
  readonly type: Timeline<string | null>
  readonly size: number
}

interface Plan {
  readonly type: string
  /** Earliest upload; Infinity: never. */
  readonly since: number
  readonly withinHours: number
  readonly chance: number
}

/** The papers of a shipment as it moves; none after it was cancelled. A pure function of the life. */
export function fileDocuments(life: Life): readonly DocumentLife[] {
  return plansOf(life)
    .map((plan, nth) => file(life, plan, nth))
    .filter((document) => document !== null)
    .filter(({ at }) => at < life.cancelledAt)
}

function file(life: Life, plan: Plan, nth: number): DocumentLife | null {
  const random = randomOf(life.brief.id, 'document', plan.type)
  if (!random.chance(plan.chance) || plan.since === Infinity) return null
  const at = Math.floor(plan.since + random.between(0.3, plan.withinHours) * HOUR)
  const isScan = random.chance(0.3)
  const serial = life.brief.id.slice('SHP-'.length)
  return {
    id: `doc_${serial.replace('-', '')}${String(nth).padStart(2, '0')}`,
    name: isScan ? `scan_${random.whole(100_000, 999_999)}.pdf` : `${plan.type}_${serial}.pdf`,
    at,
    type: classified(random, { at, type: plan.type, isScan }),
    size: random.whole(24_000, 2_400_000),
  }
}

/** A scan is read later; now and then a file is taken for another one at first. */
function classified(
  random: Random,
  { at, type, isScan }: { readonly at: number; readonly type: string; readonly isScan: boolean },
): Timeline<string | null> {
  const later = at + random.between(2, 60) * HOUR
  if (isScan) {
    return [
      { at, value: null },
      { at: later, value: type },
    ]
  }
  if (!random.chance(0.05) || type === 'packing_list') return [{ at, value: type }]
  return [
    { at, value: 'packing_list' },
    { at: later, value: type },
  ]
}

function plansOf(life: Life): readonly Plan[] {
  const { brief, course, requestedAt, status } = life
  const { goods } = brief
  const bookedAt = status.find(({ value }) => value === 'booked')?.at ?? Infinity
  const { departure, arrival, delivery } = course.facts
  return [
    plan('packing_list', requestedAt),
    plan('commercial_invoice', requestedAt, { withinHours: 90 }),
    plan('pickup_form', when(brief.freightType.startsWith('door'), bookedAt)),
    plan('dangerous_goods_declaration', when(goods.hazard !== undefined, bookedAt)),
    plan('material_safety_data_sheet', when(goods.hazard !== undefined, bookedAt)),
    plan('lithium_certificate', when(goods.lithium !== undefined, bookedAt)),
    ...billsOf(life).map(([type, since]) => plan(type, since, { withinHours: 20 })),
    plan('cargo_manifest', departure.reportedAt, { chance: 0.4 }),
    plan('entry_summary', when(brief.lane.mode === 'ocean', departure.reportedAt + DAY), { chance: 0.5 }),
    plan('t1', arrival.reportedAt, { chance: 0.2 }),
    plan('ima', arrival.reportedAt, { withinHours: 60, chance: 0.8 }),
    plan('proof_of_delivery', when(brief.freightType.endsWith('door'), delivery.reportedAt)),
  ]
}

function plan(type: string, since: number, rest: { withinHours?: number; chance?: number } = {}): Plan {
  return { type, since, withinHours: rest.withinHours ?? 36, chance: rest.chance ?? 1 }
}

function when(holds: boolean, since: number): number {
  return holds ? since : Infinity
}

/** The transport papers, from the moment the booking knows their numbers. */
function billsOf({ brief, booking, course }: Life): readonly (readonly [type: string, since: number])[] {
  const house = booking.find(({ value }) => value.houseBill !== null)?.at ?? Infinity
  const master = booking.find(({ value }) => value.masterBill !== null)?.at ?? Infinity
  switch (brief.lane.mode) {
    case 'ocean':
      return [
        ['house_bill_of_lading', house],
        ['master_bill_of_lading', master],
      ]
    case 'air':
      return [
        ['house_airway_bill', house],
        ['master_airway_bill', master],
      ]
    case 'truck':
    case 'rail':
      return [['cmr', course.facts.pickup.reportedAt]]
    default:
      return brief.lane.mode satisfies never
  }
}
