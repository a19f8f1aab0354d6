import { isJsonArray, isJsonObject, type JsonObject } from '../../../src/model/json.ts'
import { shipmentId } from '../../../src/sandbox/life/brief.ts'
import { liveOf, shipmentStatus, type Life } from '../../../src/sandbox/life/life.ts'
import { randomOf, type Random } from '../../../src/sandbox/random.ts'
import { renderShipment } from '../../../src/sandbox/world/shipments.ts'
import { renderTracking } from '../../../src/sandbox/world/tracking.ts'

const DAY_MS = 86_400_000
const SEED = 'footprint'
const CLOSED: ReadonlySet<string | null> = new Set(['finished', 'cancelled'])

const WORDS = (
  'call consignee before delivery ramp closed gate dock pallet driver badge morning afternoon customs broker original bill ' +
  'courier stack do not double fragile upper tier only seal photo weight certificate fumigation label carton hanger size ' +
  'season store replenishment urgent partial booking slot terminal depot free time demurrage warehouse contact mobile mail ' +
  'fax reference invoice packing list origin inspection temperature dry keep upright tail lift container return empty'
).split(' ')

export interface PaperWorldSize {
  readonly shipments: number
  readonly live: number
  /** The moment that everything is shown at. */
  readonly now: number
}

/** So many shipments, newest first, of which the first are under way and the others over; no two are alike. */
export interface PaperWorld {
  readonly ids: readonly string[]
  shipment(n: number): JsonObject
  tracking(n: number): JsonObject
}

/**
 * The lives of the sandbox, each drawn on its own: lane, goods, parties, dates, numbers. Theirs are some 2 kB; loads, containers
 * and instructions are added until they measure what those of the other benches do.
 */
export function paperWorld({ shipments, live, now }: PaperWorldSize): PaperWorld {
  const life = (n: number): Life => lifeOf(n, { isLive: n < live, now })
  return {
    ids: Array.from({ length: shipments }, (_, n) => shipmentId(SEED, n)),
    shipment: (n) => fill(renderShipment(life(n), now), randomOf(SEED, 'fill', n)),
    tracking: (n) => renderTracking(life(n), now),
  }
}

/** Drawn again, younger each time, until it is under way; what is over was born longer ago than any journey takes. */
function lifeOf(index: number, { isLive, now }: { readonly isLive: boolean; readonly now: number }): Life {
  const random = randomOf(SEED, 'age', index)
  const born = (days: number): Life => liveOf({ seed: SEED, index, bornAt: Math.floor(now - days * DAY_MS) })
  if (!isLive) return born(random.between(150, 900))
  for (let days = random.between(1, 80); ; days *= 0.8) {
    const life = born(days)
    if (days < 0.01 || !CLOSED.has(shipmentStatus(life, now))) return life
  }
}

function fill(shipment: JsonObject, random: Random): JsonObject {
  const { cargo } = shipment
  if (!isJsonObject(cargo)) return shipment
  const loads = isJsonArray(cargo.loads) ? cargo.loads : []
  const more = Array.from({ length: random.whole(1, 5) }, () => drawLoad(random))
  return {
    ...shipment,
    specific_instructions: Array.from({ length: random.whole(8, 40) }, () => random.pick(WORDS)).join(' '),
    cargo: { ...cargo, loads: [...loads, ...more] },
  }
}

function drawLoad(random: Random): JsonObject {
  const size = (from: number, to: number): JsonObject => ({ value: random.whole(from, to), unit: 'cm' })
  return {
    count: random.whole(1, 90),
    type: random.pick(['pallet', 'package', 'crate']),
    weight: { value: Math.round(random.between(40, 9_000)) / 10, unit: 'kg' },
    volume_unit: 'cbm',
    length: size(30, 240),
    width: size(30, 120),
    height: size(20, 220),
  }
}
