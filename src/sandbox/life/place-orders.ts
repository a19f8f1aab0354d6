import type { Goods } from '../catalogue/goods.ts'
import { randomOf, type Random } from '../random.ts'
import type { Life } from './life.ts'
import { DAY, HOUR } from './pace.ts'
import { valueAt, type Timeline } from './timeline.ts'

/** A buyer's order that one shipment carries, placed before the shipment is drafted. */
export interface OrderLife {
  readonly number: string
  readonly at: number
  readonly supplier: string
  /** Days since the Unix epoch, UTC. */
  readonly exFactoryDay: Timeline<number>
  readonly lines: readonly OrderLine[]
  readonly season: string
}

export interface OrderLine {
  readonly reference: string
  readonly sku: string
  readonly variant: string
  readonly goods: Goods
  readonly quantity: number
  /** Euros. */
  readonly unitPrice: number
  /** How much of the item is assigned to the shipment, and when. */
  readonly assigned: Timeline<number>
  /** The order's part of the weight of the shipment. */
  readonly share: number
}

/** No order is placed longer before the birth of its shipment. */
export const LONGEST_LEAD = 24 * DAY

const VARIANTS = ['standard', 'small', 'large', 'black', 'white', 'natural', 'export packing'] as const

/** The orders that a shipment names, a pure function of its life. */
export function placeOrders(life: Life): readonly OrderLife[] {
  return life.brief.purchaseOrders.map((number) => {
    const random = randomOf(life.brief.id, 'order', number)
    const { pickup, bornAt } = life.brief
    const at = Math.floor(bornAt - random.between(4 * DAY, LONGEST_LEAD))
    const planned = Math.floor((life.course.milestones.pickup[0]?.value.instant ?? bornAt) / DAY) - 3
    const moved = random.chance(0.3) ? [{ at: bornAt - random.between(0.2, 2) * DAY, value: planned }] : []
    return {
      number,
      at,
      supplier: pickup.company,
      exFactoryDay: [{ at, value: moved.length === 0 ? planned : planned - random.pick([2, 5, 9]) }, ...moved],
      lines: orderLines(random, life),
      season: `${random.pick(['SS', 'AW'])}${new Date(bornAt).getUTCFullYear() % 100}`,
    }
  })
}

function orderLines(random: Random, life: Life): readonly OrderLine[] {
  const { goods, purchaseOrders } = life.brief
  const weights = Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => random.between(1, 3))
  const total = weights.reduce((sum, each) => sum + each, 0)
  const weightKg = valueAt(life.cargo.weightKg, life.brief.bornAt) ?? 0
  const first = random.whole(0, VARIANTS.length - 1)
  return weights.map((weight, index) => {
    const share = weight / total / purchaseOrders.length
    const quantity = Math.max(1, Math.round((weightKg * share) / goods.kgPerPiece))
    return {
      reference: String((index + 1) * 10),
      sku: `${goods.hsCode.slice(0, 4)}-${random.whole(1_000, 9_999)}`,
      variant: VARIANTS[(first + index) % VARIANTS.length] ?? 'standard',
      goods,
      quantity,
      unitPrice: Number((goods.eurPerKg * goods.kgPerPiece * random.between(0.92, 1.08)).toFixed(2)),
      assigned: assign(random, life, quantity),
      share,
    }
  })
}

/** Mostly whole from the draft on; some lines later, some in part until the booking is asked for. */
function assign(random: Random, life: Life, quantity: number): Timeline<number> {
  const { brief, requestedAt, cancelledAt } = life
  const later = Math.min(requestedAt, cancelledAt) - random.between(0.2, 1) * HOUR
  if (random.chance(0.2) && later > brief.bornAt) return [{ at: later, value: quantity }]
  const part = Math.floor(quantity * 0.8)
  if (random.chance(0.2) && part > 0 && later > brief.bornAt) {
    return [
      { at: brief.bornAt, value: part },
      { at: later, value: quantity },
    ]
  }
  return [{ at: brief.bornAt, value: quantity }]
}
