import { FORWARDERS } from '../catalogue/carriers.ts'
import { GOODS, type Goods } from '../catalogue/goods.ts'
import { LANES, type Lane, type Mode } from '../catalogue/lanes.ts'
import { sitesIn, type Site } from '../catalogue/sites.ts'
import { randomOf, type Random } from '../random.ts'

type FreightType = 'port_to_door' | 'door_to_port' | 'door_to_door' | 'port_to_port'

/** What is settled about a shipment when it is drafted, and stays so. */
export interface Brief {
  readonly id: string
  /** The place of the shipment in the order of birth, from 0. */
  readonly index: number
  readonly bornAt: number
  readonly name: string
  readonly lane: Lane
  readonly freightType: FreightType
  readonly incoterm: string
  readonly loadType: 'fcl' | 'lcl'
  readonly pickup: Site
  readonly delivery: Site
  readonly goods: Goods
  readonly forwarder: string
  readonly purchaseOrders: readonly string[]
  readonly needsInsurance: boolean
  /** The offset in which this record's dates are written, in minutes. */
  readonly offsetMinutes: number
}

/** Which terms go with which part of the way; the sea-only terms are marked (Incoterms 2020, rules for sea transport). */
const TERMS: readonly { readonly incoterm: string; readonly type: FreightType; readonly seaOnly?: true }[] = [
  { incoterm: 'exw', type: 'door_to_door' },
  { incoterm: 'exw', type: 'door_to_door' },
  { incoterm: 'fca', type: 'door_to_door' },
  { incoterm: 'fca', type: 'door_to_door' },
  { incoterm: 'fob', type: 'port_to_door', seaOnly: true },
  { incoterm: 'fob', type: 'port_to_door', seaOnly: true },
  { incoterm: 'cif', type: 'port_to_port', seaOnly: true },
  { incoterm: 'cpt', type: 'door_to_port' },
  { incoterm: 'dap', type: 'door_to_door' },
  { incoterm: 'ddp', type: 'door_to_door' },
]

const MODES: readonly Mode[] = ['ocean', 'ocean', 'ocean', 'ocean', 'ocean', 'ocean', 'air', 'air', 'truck', 'rail']
const OFFSETS: readonly number[] = [0, 0, 60, 120, 480]

export function writeBrief(birth: { readonly seed: string; readonly index: number; readonly bornAt: number }): Brief {
  const { seed, index, bornAt } = birth
  const random = randomOf(seed, 'brief', index)
  const mode = random.pick(MODES)
  const lane = random.pick(LANES.filter((each) => each.mode === mode))
  const terms = random.pick(TERMS.filter((each) => mode === 'ocean' || each.seaOnly === undefined))
  const goods = random.pick(GOODS)
  const delivery = random.pick(sitesIn(lane.destination.country))
  const purchaseOrders = orderNumbers(random, index)
  return {
    id: shipmentId(seed, index),
    index,
    bornAt,
    name: `${goods.description.split(',')[0] ?? ''} to ${delivery.city} (${purchaseOrders[0] ?? ''})`,
    lane,
    freightType: terms.type,
    incoterm: terms.incoterm,
    loadType: mode === 'air' || mode === 'truck' || random.chance(0.3) ? 'lcl' : 'fcl',
    pickup: random.pick(sitesIn(lane.origin.country)),
    delivery,
    goods,
    forwarder: random.pick(FORWARDERS),
    purchaseOrders,
    needsInsurance: random.chance(0.35),
    offsetMinutes: random.pick(OFFSETS),
  }
}

/** The id of a shipment. Another seed is another account: its ids are others too. */
export function shipmentId(seed: string, index: number): string {
  return `SHP-${accountNumber(seed)}-${String(index + 1).padStart(5, '0')}`
}

/** Four digits that mark everything of one simulated account. */
export function accountNumber(seed: string): number {
  return randomOf(seed, 'account').whole(1_000, 9_999)
}

/** The order numbers of a shipment: some buyers count their orders, others name them. */
function orderNumbers(random: Random, index: number): readonly string[] {
  const first = 4_500_010_000 + index * 10
  const named = random.chance(0.4)
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, nth) =>
    named ? `PO-${first + nth - 4_500_000_000}` : String(first + nth),
  )
}
