import type { Random } from '../random.ts'
import type { Brief } from './brief.ts'

export interface InvoiceLine {
  readonly category: string
  readonly description: string
  readonly amount: number
  readonly quantity: number
  readonly unit: string
  readonly unitRate: number
  /** Percent. */
  readonly vatRate: number
}

/** What a line's quantity counts. */
export interface Quantities {
  readonly containers: number
  readonly cbm: number
  readonly kg: number
}

interface Tariff {
  readonly category: string
  readonly description: string
  readonly unit: 'container' | 'cbm' | 'kg' | 'shipment'
  readonly rate: readonly [from: number, to: number]
  readonly vatRate: number
}

const MAIN_CARRIAGE: Readonly<Record<Brief['lane']['mode'], readonly Tariff[]>> = {
  ocean: [
    { category: 'freight', description: 'Ocean freight', unit: 'container', rate: [1_150, 3_900], vatRate: 0 },
    { category: 'freight', description: 'Bunker adjustment factor', unit: 'container', rate: [180, 520], vatRate: 0 },
    {
      category: 'origin_charges',
      description: 'Terminal handling at origin',
      unit: 'container',
      rate: [110, 240],
      vatRate: 0,
    },
    { category: 'origin_charges', description: 'Bill of lading fee', unit: 'shipment', rate: [45, 75], vatRate: 0 },
  ],
  rail: [
    { category: 'freight', description: 'Rail freight', unit: 'container', rate: [3_200, 6_100], vatRate: 0 },
    {
      category: 'origin_charges',
      description: 'Terminal handling at origin',
      unit: 'container',
      rate: [140, 260],
      vatRate: 0,
    },
  ],
  air: [
    { category: 'freight', description: 'Air freight', unit: 'kg', rate: [2.1, 5.4], vatRate: 0 },
    { category: 'freight', description: 'Fuel surcharge', unit: 'kg', rate: [0.55, 1.2], vatRate: 0 },
    { category: 'origin_charges', description: 'Security fee', unit: 'kg', rate: [0.11, 0.19], vatRate: 0 },
  ],
  truck: [
    { category: 'freight', description: 'Road freight', unit: 'shipment', rate: [640, 2_900], vatRate: 20 },
    { category: 'freight', description: 'Diesel floater', unit: 'shipment', rate: [38, 190], vatRate: 20 },
  ],
}

const LOCAL: readonly Tariff[] = [
  {
    category: 'destination_charges',
    description: 'Handling at destination',
    unit: 'shipment',
    rate: [120, 420],
    vatRate: 20,
  },
  { category: 'customs', description: 'Import customs clearance', unit: 'shipment', rate: [55, 145], vatRate: 20 },
  { category: 'duties_and_taxes', description: 'Customs duties', unit: 'shipment', rate: [180, 5_400], vatRate: 0 },
  { category: 'delivery', description: 'Delivery to door', unit: 'cbm', rate: [9, 31], vatRate: 20 },
]

const EXTRA: Tariff = {
  category: 'destination_charges',
  description: 'Demurrage and detention',
  unit: 'shipment',
  rate: [85, 640],
  vatRate: 20,
}

export interface LinesInput {
  readonly random: Random
  readonly brief: Brief
  readonly quantities: Quantities
}

/** The invoice of the main carriage, or the one of the local charges at destination. */
export function invoiceLines(part: 'main' | 'local', input: LinesInput): readonly InvoiceLine[] {
  const tariffs = part === 'main' ? MAIN_CARRIAGE[input.brief.lane.mode] : LOCAL
  return tariffs.map((tariff) => lineOf(tariff, input))
}

/** A line that is found missing later. */
export function extraLine(input: LinesInput): InvoiceLine {
  return lineOf(EXTRA, input)
}

/** Part of a line, given back. */
export function creditLine(line: InvoiceLine, part: number): InvoiceLine {
  const unitRate = toCents(line.unitRate * part)
  return { ...line, description: `Refund: ${line.description}`, unitRate, amount: -toCents(unitRate * line.quantity) }
}

function lineOf(tariff: Tariff, { random, quantities }: LinesInput): InvoiceLine {
  const { category, description, unit, rate, vatRate } = tariff
  const unitRate = toCents(random.between(...rate))
  const quantity = { container: quantities.containers, cbm: quantities.cbm, kg: quantities.kg, shipment: 1 }[unit]
  return { category, description, amount: toCents(unitRate * quantity), quantity, unit, unitRate, vatRate }
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}
