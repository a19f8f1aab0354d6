import { randomOf } from '../random.ts'
import type { Life } from './life.ts'
import type { Entry } from './timeline.ts'

/** Lives in the order of their birth, from 0. */
interface Lives {
  nth(index: number): Life
}

/** The most shipments that are drafted later and carry a part of the orders of one. */
const MOST_LATER = 4

/** A shipment that carries a part of an order. */
interface Carrier {
  readonly life: Life
  /** When the order's lines are assigned to it; of the shipment that the order was placed for they say so themselves: null. */
  readonly assignedAt: number | null
  /** The place among the carriers, from 0. */
  readonly nth: number
}

/** The shipments that carry the orders of a life: its own, and in half of all lives some that are drafted later. */
export function carriersOf(lives: Lives, home: Life): readonly [Carrier, ...Carrier[]] {
  const { index } = home.brief
  const later = Array.from({ length: laterOf(home) }, (_, nth) => lives.nth(index + nth + 1))
  return [
    { life: home, assignedAt: null, nth: 0 },
    ...later.map((life, place) => ({ life, assignedAt: assignedAt(home, life), nth: place + 1 })),
  ]
}

/** The orders of earlier lives of which a shipment carries a part, and from when on. */
export function guestOrders(lives: Lives, life: Life): readonly Entry<readonly string[]>[] {
  const { index } = life.brief
  const homes = Array.from({ length: Math.min(MOST_LATER, index) }, (_, nth) => lives.nth(index - nth - 1))
  return homes
    .filter((home) => laterOf(home) >= index - home.brief.index)
    .map((home) => ({ at: assignedAt(home, life), value: home.brief.purchaseOrders }))
    .filter(({ at }) => at !== Infinity)
}

/** How many of a quantity the nth of several carriers takes; together they take all. */
export function partOf(quantity: number, nth: number, carriers: number): number {
  return Math.floor((quantity * (nth + 1)) / carriers) - Math.floor((quantity * nth) / carriers)
}

function laterOf({ brief }: Life): number {
  return randomOf(brief.id, 'split').pick([0, 0, 0, 1, 1, 2, 3, MOST_LATER])
}

/** Late: somewhere between the draft of the shipment and its booking request. Infinity: it is cancelled before. */
function assignedAt(home: Life, { brief, cancelledAt, requestedAt }: Life): number {
  const part = randomOf(home.brief.id, 'split', brief.id).between(0.1, 0.9)
  const at = Math.floor(brief.bornAt + part * (requestedAt - brief.bornAt))
  return at < cancelledAt ? at : Infinity
}
