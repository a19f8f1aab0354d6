import type { RecordResource } from '../model/resource.ts'
import { covers, requestRate, stretchOf, type RefreshTarget } from './refresh-targets.ts'
import { mostReads } from './unit-queue.ts'

/** What one request reads, and how often it has to. */
export interface ForecastUnit {
  readonly resource: RecordResource
  /** Changes in a millisecond; 0: none are to be expected. */
  readonly rate: number
  readonly weight: number
  /** The refresh target: the longest that it may go unread. */
  readonly everyMs: number
  /** Whether the unit shows nothing but a list's end, and not in each pass: a request, and nothing that is read. */
  readonly isEnd?: boolean
}

export interface ResourceForecast {
  readonly resource: RecordResource
  readonly units: number
  /** Reads in a millisecond, one request each: all of them, and those that the refresh target alone takes as it is kept. */
  readonly reads: number
  readonly targetReads: number
  /** Requests in a millisecond beside them, which the refresh target takes to show the list's end. */
  readonly endReads: number
  /** Reads in a millisecond beside them, of what rows of other resources announce. */
  readonly announcedReads: number
  /** The delay of a change; null: none is to be expected. */
  readonly delay: Delay | null
}

export interface Forecast {
  readonly resources: readonly ResourceForecast[]
  /** Requests in a millisecond that all of it takes. */
  readonly requests: number
  /** Requests in a millisecond that keeping every refresh target takes. */
  readonly needed: number
  /** How many times longer than its refresh target everything may go unread; 1: the targets are kept. */
  readonly stretch: number
}

const STEPS = 60

/**
 * What the choice of `UnitQueue` settles at with so many requests in a millisecond: each unit is read as often as its refresh
 * target says, and beyond that ∝ √(weight · rate). A change waits for the next read of its unit, so evenly between nothing and
 * the time between two of them. What rows of shipments announce of their tracking is read at once.
 */
export function forecast(units: readonly ForecastUnit[], allowed: number): Forecast {
  const refreshTargets = refreshTargetsOf(units)
  const stretch = stretchOf(refreshTargets, allowed)
  const paces = units.map((unit) => paceOf(unit, stretch))
  const promised = paces.reduce((sum, { least }) => sum + least, 0)
  const announced = Math.min(announcedReads(units), Math.max(0, allowed - promised))
  const factor = factorFor(paces, allowed - announced)
  const reads = paces.map((pace) => readsOf(pace, factor))
  const places = placesOf(units)
  const gapsOf = (resource: RecordResource): readonly Gap[] => {
    const { ends = [], own = [] } = places.get(resource) ?? {}
    return [...own, ...ends].map((nth) => ({ changes: units[nth]?.rate ?? 0, gapMs: 1 / (reads[nth] ?? 1) }))
  }
  const resources = [...places].map(([resource, { ends, own }]) => ({
    resource,
    units: own.length,
    reads: sumOf(own, (nth) => reads[nth] ?? 0),
    targetReads: sumOf(own, (nth) => paces[nth]?.least ?? 0),
    endReads: sumOf(ends, (nth) => reads[nth] ?? 0),
    announcedReads: resource === 'tracking' ? announced : 0,
    delay: delayOfGaps([...gapsOf(resource), ...(resource === 'tracking' ? gapsOf('shipment') : [])]),
  }))
  const requests = resources.reduce((total, each) => total + each.reads + each.announcedReads + each.endReads, 0)
  return { resources, requests, needed: requestRate(refreshTargets), stretch }
}

/** Requests in a millisecond that it takes to keep every refresh target. */
export function neededFor(units: readonly ForecastUnit[]): number {
  return requestRate(refreshTargetsOf(units))
}

/** Where the units of each resource stand, those that only show an end by themselves. */
function placesOf(units: readonly ForecastUnit[]) {
  const places = new Map<RecordResource, { readonly own: number[]; readonly ends: number[] }>()
  for (const [nth, { isEnd = false, resource }] of units.entries()) {
    const known = places.get(resource) ?? { own: [], ends: [] }
    known[isEnd ? 'ends' : 'own'].push(nth)
    places.set(resource, known)
  }
  return places
}

function sumOf(nths: readonly number[], numberOf: (nth: number) => number): number {
  return nths.reduce((total, nth) => total + numberOf(nth), 0)
}

interface Pace {
  readonly least: number
  readonly most: number
  readonly root: number
}

function refreshTargetsOf(units: readonly ForecastUnit[]): readonly RefreshTarget[] {
  const requests = new Map<number, number>()
  for (const { everyMs } of units) requests.set(everyMs, (requests.get(everyMs) ?? 0) + 1)
  return [...requests].map(([everyMs, amount]) => ({ everyMs, requests: amount }))
}

function paceOf({ everyMs, rate, weight }: ForecastUnit, stretch: number): Pace {
  const least = 1 / (everyMs * stretch)
  return { least, most: Math.max(least, mostReads(rate)), root: Math.sqrt(weight * rate) }
}

function readsOf({ least, most, root }: Pace, factor: number): number {
  return Math.min(Math.max(least, factor * root), most)
}

/** What makes all reads together as many as are allowed, or as many as are worth it. */
function factorFor(paces: readonly Pace[], allowed: number): number {
  const total = totalOf(paces)
  let least = 0
  let most = paces.reduce((largest, pace) => (pace.root === 0 ? largest : Math.max(largest, pace.most / pace.root)), 0)
  if (total(most) <= allowed) return most
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (least + most) / 2
    if (total(middle) <= allowed) least = middle
    else most = middle
  }
  return least
}

/** Asked for dozens of factors, of tens of thousands of units: plain rows of numbers take a fifth of the time. */
function totalOf(paces: readonly Pace[]): (factor: number) => number {
  const least = numbers(paces, (pace) => pace.least)
  const most = numbers(paces, (pace) => pace.most)
  const root = numbers(paces, (pace) => pace.root)
  return (factor) => {
    let sum = 0
    for (let nth = 0; nth < least.length; nth += 1) {
      const worth = Math.max(least[nth] ?? 0, factor * (root[nth] ?? 0))
      sum += Math.min(worth, most[nth] ?? 0)
    }
    return sum
  }
}

function numbers<T>(all: readonly T[], numberOf: (each: T) => number): Float64Array {
  const row = new Float64Array(all.length)
  for (const [nth, each] of all.entries()) row[nth] = numberOf(each)
  return row
}

/** Each changed row has the tracking of its shipment read. */
function announcedReads(units: readonly ForecastUnit[]): number {
  if (!units.some(({ resource }) => resource === 'tracking')) return 0
  return units.reduce((sum, { rate, resource }) => sum + (resource === 'shipment' ? rate : 0), 0)
}

const LARGEST = 2 ** 40

/** The smallest whole number of requests that allows a flow of `needed`; null: none does. `flowOf` grows with its number. */
export function smallestBudget(needed: number, flowOf: (requests: number) => number): number | null {
  let most = 1
  while (!covers(flowOf(most), needed)) {
    if (most >= LARGEST) return null
    most *= 2
  }
  let least = most / 2
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (covers(flowOf(middle), needed)) most = middle
    else least = middle
  }
  return most
}

/** How long changes went, or go, unseen. */
export interface Delay {
  readonly meanMs: number
  /** 95 of 100 changes are seen within it. */
  readonly p95Ms: number
}

/** Changes of which each may have happened at any time within `gapMs` before it was seen. */
interface Gap {
  readonly gapMs: number
  /** How many, or how often: only how they compare matters. */
  readonly changes: number
}

const SEEN = 0.95
const HALVINGS = 50

/** The delay of changes in these gaps; null where there are no changes. */
export function delayOfGaps(gaps: readonly Gap[]): Delay | null {
  const all = gaps.reduce((sum, { changes }) => sum + changes, 0)
  if (all <= 0) return null
  const meanMs = gaps.reduce((sum, { changes, gapMs }) => sum + (changes * gapMs) / 2, 0) / all
  const seenWithin = seenOf(gaps)
  let [least, most] = [0, gaps.reduce((longest, { gapMs }) => Math.max(longest, gapMs), 0)]
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (least + most) / 2
    if (seenWithin(middle) < SEEN * all) least = middle
    else most = middle
  }
  return { meanMs, p95Ms: most }
}

function seenOf(gaps: readonly Gap[]): (ms: number) => number {
  const changes = numbers(gaps, (gap) => gap.changes)
  const gapsMs = numbers(gaps, (gap) => gap.gapMs)
  return (ms) => {
    let sum = 0
    for (let nth = 0; nth < changes.length; nth += 1) {
      const gapMs = gapsMs[nth] ?? 0
      sum += (changes[nth] ?? 0) * (ms >= gapMs ? 1 : ms / gapMs)
    }
    return sum
  }
}

/** The delay that known ones amount to; null where there are none. */
export function delayOf(delaysMs: readonly number[]): Delay | null {
  if (delaysMs.length === 0) return null
  const sorted = delaysMs.toSorted((left, right) => left - right)
  const meanMs = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  return { meanMs, p95Ms: sorted[Math.ceil(SEEN * sorted.length) - 1] ?? 0 }
}
