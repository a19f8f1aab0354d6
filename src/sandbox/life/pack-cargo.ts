import type { Random } from '../random.ts'
import type { Brief } from './brief.ts'
import { HOUR } from './pace.ts'
import type { Entry, Timeline } from './timeline.ts'

export interface Container {
  readonly type: string
  readonly number: string
  /** Digits or letters and digits; null before it is sealed. */
  readonly seal: string | null
  readonly sealIsNumber: boolean
  readonly purchaseOrders: readonly string[]
}

export interface Load {
  readonly count: number
  readonly type: 'pallet' | 'package' | 'rigid_crate'
  readonly weightKg: number
  readonly sizeCm: readonly [length: number, width: number, height: number]
}

export interface Cargo {
  readonly weightKg: Timeline<number>
  readonly volumeCbm: number
  readonly teus: number
  readonly loads: readonly Load[]
  readonly containers: Timeline<readonly Container[]>
  /** Euros. */
  readonly value: number
}

export interface CargoInput {
  readonly random: Random
  readonly brief: Brief
  readonly owners: readonly string[]
  readonly bookedAt: number
  readonly pickedUpAt: number
  readonly departedAt: number
}

interface BoxType {
  readonly type: string
  readonly teus: number
  readonly cbm: number
}

const DRY: readonly BoxType[] = [
  { type: 'twenty_foot_standard', teus: 1, cbm: 27 },
  { type: 'forty_foot_standard', teus: 2, cbm: 56 },
  { type: 'forty_foot_highcube_standard', teus: 2, cbm: 66 },
  { type: 'forty_foot_highcube_standard', teus: 2, cbm: 66 },
]
const REEFER: BoxType = { type: 'forty_foot_highcube_reefer', teus: 2, cbm: 58 }

/** How much there is, in what; the scales at the pickup know better than the order did. */
export function packCargo(input: CargoInput): Cargo {
  const { random, brief, bookedAt, pickedUpAt } = input
  const box = brief.goods.temperature === undefined ? random.pick(DRY) : REEFER
  const boxed = brief.lane.mode === 'ocean' || brief.lane.mode === 'rail'
  const full = boxed && brief.loadType === 'fcl'
  const boxes = full ? random.pick([1, 1, 1, 2, 2, 3]) : 1
  const volumeCbm = round(
    full ? boxes * box.cbm * random.between(0.7, 0.95) : random.between(1.2, brief.lane.mode === 'air' ? 9 : 14),
    2,
  )
  const payload = full ? boxes * 24_000 : Infinity
  const weight = round(Math.min(volumeCbm * brief.goods.kgPerCbm * random.between(0.9, 1.1), payload), 1)
  const weighed = round(weight * random.between(0.97, 1.03), 1)
  const weightKg: Entry<number>[] = [{ at: brief.bornAt, value: weight }]
  if (random.chance(0.5)) weightKg.push({ at: pickedUpAt + random.between(0.5, 4) * HOUR, value: weighed })
  return {
    weightKg,
    volumeCbm,
    teus: full ? boxes * box.teus : 0,
    loads: loadsOf(random, { volumeCbm, weight, full }),
    containers: boxed
      ? fillContainers(input, { boxes, type: full ? box.type : 'forty_foot_highcube_standard' })
      : [{ at: bookedAt, value: [] }],
    value: Math.round(weight * brief.goods.eurPerKg),
  }
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

function loadsOf(
  random: Random,
  cargo: { readonly volumeCbm: number; readonly weight: number; readonly full: boolean },
): readonly Load[] {
  const { volumeCbm, weight, full } = cargo
  if (full && random.chance(0.5)) return []
  const type = random.pick(['pallet', 'pallet', 'package', 'rigid_crate'] as const)
  const sizeCm = type === 'package' ? ([60, 40, 40] as const) : ([120, 80, random.pick([110, 145, 180])] as const)
  const count = Math.max(1, Math.round((volumeCbm * 1_000_000) / (sizeCm[0] * sizeCm[1] * sizeCm[2])))
  return [{ count, type, weightKg: round(weight / count, 1), sizeCm }]
}

/** Numbers are assigned one by one before loading, seals follow; now and then a box is found damaged and swapped. */
function fillContainers(
  input: CargoInput,
  what: { readonly boxes: number; readonly type: string },
): Timeline<readonly Container[]> {
  const shown = new Map<number, Container>()
  const filled = Array.from({ length: what.boxes }, (_, nth) => fillOne(input, { nth, ...what }))
    .flat()
    .sort((a, b) => a.at - b.at)
    .map(({ at, value: { nth, container } }) => {
      shown.set(nth, container)
      return { at, value: [...shown].sort(([a], [b]) => a - b).map(([, each]) => each) }
    })
  return [{ at: input.bookedAt, value: [] }, ...filled]
}

interface NthBox {
  readonly nth: number
  readonly boxes: number
  readonly type: string
}

function fillOne(
  input: CargoInput,
  { nth, boxes, type }: NthBox,
): readonly Entry<{ readonly nth: number; readonly container: Container }>[] {
  const { random, brief, owners, bookedAt, pickedUpAt, departedAt } = input
  const [from, to] = brief.loadType === 'fcl' ? [bookedAt, pickedUpAt] : [pickedUpAt, departedAt]
  const at = (part: number): number => from + (to - from) * part
  const number = (spare: 0 | 1): string => containerNumber(random.pick(owners), brief.index * 8 + nth * 2 + spare)
  const orders = brief.purchaseOrders
  const assigned: Container = {
    type,
    number: number(0),
    seal: null,
    sealIsNumber: random.chance(0.4),
    purchaseOrders: boxes === 1 ? orders : orders.filter((_, index) => index === nth % orders.length),
  }
  const loaded = random.chance(0.06) ? { ...assigned, number: number(1) } : assigned
  const digits = String(random.whole(1_000_000, 9_999_999))
  const sealed = { ...loaded, seal: loaded.sealIsNumber ? digits : `${loaded.number.slice(0, 2)}${digits}` }
  const entries = [
    { at: at(random.between(0.4, 0.6)), value: { nth, container: assigned } },
    { at: at(random.between(0.7, 0.85)), value: { nth, container: loaded } },
    { at: at(random.between(0.9, 0.99)), value: { nth, container: sealed } },
  ]
  return entries
}

/**
 * A container number: owner code, six digits and the check digit of ISO 6346, which is never a 10. Two serials never share
 * a number below 100,000 of them.
 */
function containerNumber(owner: string, serial: number): string {
  const scattered = String((serial * 61_813 + 27_449) % 100_000).padStart(5, '0')
  for (let first = serial % 7; ; first += 1) {
    const body = owner + String(first) + scattered
    const digit = checkDigit(body)
    if (digit !== 10) return body + String(digit)
  }
}

/** ISO 6346: letters count from 10 on without the multiples of 11; position n weighs 2^n; the sum modulo 11. */
function checkDigit(body: string): number {
  let sum = 0
  for (let position = 0; position < body.length; position += 1) sum += valueOf(body.charAt(position)) * 2 ** position
  return sum % 11
}

function valueOf(character: string): number {
  if (character >= '0' && character <= '9') return Number(character)
  const ordinal = character.charCodeAt(0) - 'A'.charCodeAt(0)
  return 10 + ordinal + Math.floor((ordinal + 9) / 10)
}
