import { HUBS, type Hub } from './hubs.ts'

export type Mode = 'air' | 'ocean' | 'rail' | 'truck'
type Position = readonly [latitude: number, longitude: number]

/** A service between two hubs. */
export interface Lane {
  readonly mode: Mode
  readonly origin: Hub
  readonly destination: Hub
  /** From departure to arrival. */
  readonly transitDays: number
  /** Where the box changes vessel, on services that do not call directly. */
  readonly via: Hub | null
  /** Turning points at sea, between origin and destination; empty on land and in the air. */
  readonly track: readonly Position[]
  /** The letter that ends a voyage number. */
  readonly heading: 'E' | 'W' | 'N' | 'S'
}

const CHINA_SEA: readonly Position[] = [
  [22.0, 117.5],
  [10.5, 110.2],
  [1.3, 104.6],
]
const INDIAN_OCEAN: readonly Position[] = [
  [5.8, 95.2],
  [5.7, 80.4],
  [12.4, 50.1],
  [12.6, 43.3],
]
const SUEZ: readonly Position[] = [
  [20.5, 38.4],
  [27.8, 34.0],
  [31.3, 32.3],
]
const MEDITERRANEAN: readonly Position[] = [
  [34.6, 24.0],
  [37.4, 10.6],
  [36.0, -5.6],
]
const BISCAY: readonly Position[] = [
  [36.8, -9.4],
  [43.6, -9.9],
  [48.8, -5.8],
  [50.2, -1.0],
]
const ASIA_NORTH_EUROPE = [...CHINA_SEA, ...INDIAN_OCEAN, ...SUEZ, ...MEDITERRANEAN, ...BISCAY]
const ASIA_MEDITERRANEAN = [...CHINA_SEA, ...INDIAN_OCEAN, ...SUEZ, [34.6, 24.0] as const, [37.2, 11.2] as const]
const INDIA_EUROPE = [[12.4, 50.1] as const, [12.6, 43.3] as const, ...SUEZ, ...MEDITERRANEAN, ...BISCAY]
const PACIFIC: readonly Position[] = [
  [33.0, 135.5],
  [41.5, 165.0],
  [44.0, -175.0],
  [40.5, -140.0],
]

interface SeaRoute {
  readonly days: number
  readonly track: readonly Position[]
  readonly via?: Hub
  readonly heading?: Lane['heading']
}

function sea(origin: Hub, destination: Hub, route: SeaRoute): Lane {
  const { days, track, via = null, heading = 'W' } = route
  return { mode: 'ocean', origin, destination, transitDays: days, via, track, heading }
}

function land(mode: Exclude<Mode, 'ocean'>, ends: readonly [Hub, Hub], transitDays: number): Lane {
  const [origin, destination] = ends
  const heading = destination.longitude < origin.longitude ? 'W' : 'E'
  return { mode, origin, destination, transitDays, via: null, track: [], heading }
}

/** The services the sandbox's freight travels on; transit times are those of real services. */
export const LANES: readonly Lane[] = [
  sea(HUBS.shanghai, HUBS.leHavre, { days: 33, track: ASIA_NORTH_EUROPE }),
  sea(HUBS.ningbo, HUBS.rotterdam, { days: 32, track: ASIA_NORTH_EUROPE }),
  sea(HUBS.yantian, HUBS.hamburg, { days: 30, track: ASIA_NORTH_EUROPE, via: HUBS.singapore }),
  sea(HUBS.qingdao, HUBS.antwerp, { days: 36, track: ASIA_NORTH_EUROPE, via: HUBS.singapore }),
  sea(HUBS.yantian, HUBS.fos, { days: 27, track: ASIA_MEDITERRANEAN }),
  sea(HUBS.haiphong, HUBS.leHavre, { days: 34, track: ASIA_NORTH_EUROPE, via: HUBS.portKlang }),
  sea(HUBS.hoChiMinh, HUBS.felixstowe, { days: 29, track: ASIA_NORTH_EUROPE }),
  sea(HUBS.laemChabang, HUBS.genoa, { days: 26, track: ASIA_MEDITERRANEAN, via: HUBS.singapore }),
  sea(HUBS.nhavaSheva, HUBS.felixstowe, { days: 22, track: INDIA_EUROPE }),
  sea(HUBS.nhavaSheva, HUBS.leHavre, { days: 21, track: INDIA_EUROPE }),
  sea(HUBS.chattogram, HUBS.hamburg, { days: 30, track: [[5.7, 80.4], ...INDIA_EUROPE], via: HUBS.colombo }),
  sea(HUBS.ambarli, HUBS.valencia, {
    days: 9,
    track: [
      [40.0, 26.0],
      [36.3, 23.0],
      [37.4, 10.6],
    ],
  }),
  sea(HUBS.shanghai, HUBS.losAngeles, { days: 15, track: PACIFIC, heading: 'E' }),
  sea(HUBS.busan, HUBS.losAngeles, { days: 12, track: PACIFIC.slice(1), heading: 'E' }),
  sea(HUBS.leHavre, HUBS.newYork, {
    days: 10,
    track: [
      [49.6, -6.0],
      [43.5, -45.0],
      [40.4, -69.0],
    ],
  }),
  sea(HUBS.hamburg, HUBS.savannah, {
    days: 14,
    track: [
      [50.2, -1.0],
      [48.8, -5.8],
      [36.0, -55.0],
    ],
  }),
  sea(HUBS.santos, HUBS.antwerp, {
    days: 19,
    track: [[-6.5, -33.5], [15.0, -26.0], ...BISCAY],
    heading: 'N',
  }),
  land('air', [HUBS.pudong, HUBS.parisCdg], 1.1),
  land('air', [HUBS.hongKong, HUBS.frankfurt], 0.9),
  land('air', [HUBS.tanSonNhat, HUBS.parisCdg], 1.4),
  land('air', [HUBS.mumbai, HUBS.heathrow], 0.8),
  land('air', [HUBS.incheon, HUBS.chicago], 0.9),
  land('air', [HUBS.parisCdg, HUBS.jfk], 0.5),
  land('truck', [HUBS.milan, HUBS.lyon], 1.2),
  land('truck', [HUBS.warsaw, HUBS.lille], 2.4),
  land('truck', [HUBS.porto, HUBS.madrid], 1.3),
  land('truck', [HUBS.istanbul, HUBS.munich], 4.5),
  land('rail', [HUBS.xian, HUBS.duisburg], 15),
  land('rail', [HUBS.chongqing, HUBS.lodz], 13),
]
