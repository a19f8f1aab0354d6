import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import type { OrderLine } from '../life/place-orders.ts'
import { valueAt } from '../life/timeline.ts'

const NET_PART = 0.94
const KG_PER_PACKAGE = 18

/** What of an order's line is on its way: in each box of the order once it is sealed, or unboxed from the pickup on. */
export function renderShippedLines(
  life: Life,
  { number, line }: { readonly number: string; readonly line: OrderLine },
  time: number,
): readonly JsonObject[] {
  const shownAt = Math.min(time, life.cancelledAt)
  const boxes = (life.cargo.containers.at(-1)?.value ?? []).filter((box) => box.purchaseOrders.includes(number))
  if (boxes.length === 0) {
    return shownAt < life.course.facts.pickup.reportedAt
      ? []
      : [shipped(life, { line, nth: 0, of: 1, box: null }, time)]
  }
  const sealed = new Set(
    (valueAt(life.cargo.containers, shownAt) ?? []).filter(({ seal }) => seal !== null).map((box) => box.number),
  )
  return boxes.flatMap((box, nth) =>
    sealed.has(box.number) ? [shipped(life, { line, nth, of: boxes.length, box: box.number }, time)] : [],
  )
}

interface Part {
  readonly line: OrderLine
  /** The how manieth of how many boxes. */
  readonly nth: number
  readonly of: number
  readonly box: string | null
}

/** The scales at the pickup know the weight better than the order did: it follows that of the shipment. */
function shipped(life: Life, { line, nth, of, box }: Part, time: number): JsonObject {
  const quantity = Math.floor((line.quantity * (nth + 1)) / of) - Math.floor((line.quantity * nth) / of)
  const share = (line.share * quantity) / line.quantity
  const gross = share * (valueAt(life.cargo.weightKg, Math.min(time, life.cancelledAt)) ?? 0)
  const boxed = life.cargo.loads[0]?.type ?? 'package'
  return {
    container_number: box,
    shipped_quantity: quantity,
    packaging_total_volume: rounded(share * life.cargo.volumeCbm, 3),
    number_of_packages: Math.max(1, Math.ceil((quantity * line.goods.kgPerPiece) / KG_PER_PACKAGE)),
    packaging_type: boxed === 'rigid_crate' ? 'crate' : 'carton',
    net_weight: rounded(gross * NET_PART, 1),
    gross_weight: rounded(gross, 1),
    volume_unit: 'cbm',
    weight_unit: 'kg',
  }
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
