import type { Activity } from '../model/learnt.ts'
import { PHASES, type Phase, type PhaseSpan } from '../model/phase.ts'
import { RESOURCES, type RecordResource } from '../model/resource.ts'
import { phaseAt } from './phase.ts'

/** What things that change alike have in common: the phase of a shipment, or what it is. `arrival`: where new records appear. */
export type Kind = Phase | 'record' | 'arrival'

/** How many of each kind a page holds. */
export type Mix = Readonly<Partial<Record<Kind, number>>>

const DAY_MS = 86_400_000

/** Changes a day where nothing was learnt yet. Only how they compare matters, and that they are not nothing. */
const SHIPMENT_RATES: Readonly<Record<Phase, number>> = {
  draft: 0.3,
  booked: 0.6,
  near_departure: 2.5,
  at_sea: 0.6,
  near_arrival: 3,
  inland: 3,
  finished: 0.01,
}
/** The changes of tracking that the shipment's row does not announce. */
const TRACKING_RATES: Readonly<Record<Phase, number>> = {
  draft: 0.02,
  booked: 0.15,
  near_departure: 1,
  at_sea: 0.3,
  near_arrival: 1.2,
  inland: 1.2,
  finished: 0.005,
}
const RECORD_RATES: Readonly<Record<RecordResource, number>> = {
  shipment: 0.5,
  tracking: 1,
  invoice: 0.05,
  document: 0.02,
  purchase_order: 0.1,
  location: 0.002,
  order_preparation: 0.5,
}
const ARRIVALS = 2

/** How many expected changes these figures weigh against what an account shows. */
const KIND_PRIOR = 3

/** How often the kinds of one resource change in an account: figures of the field, corrected by what was seen. */
export class ChangeRates {
  readonly #resource: RecordResource
  readonly #learnt = new Map<Kind, Activity>()

  constructor(resource: RecordResource) {
    this.#resource = resource
  }

  get learnt(): ReadonlyMap<Kind, Activity> {
    return this.#learnt
  }

  recall(kind: Kind, activity: Activity): void {
    this.#learnt.set(kind, activity)
  }

  /** Changes expected in a millisecond of one of a kind, by the figures of the field. */
  startOf(kind: Kind): number {
    return startRate(this.#resource, kind)
  }

  /** Changes expected in a millisecond of one of a kind, by what the account showed. */
  of(kind: Kind): number {
    const learnt = this.#learnt.get(kind)
    return this.startOf(kind) * (learnt === undefined ? 1 : liveliness(learnt, 1, KIND_PRIOR))
  }

  /** Changes expected in a millisecond of all of a mix. */
  ofMix(mix: Mix): number {
    return sumOf(mix, (kind) => this.of(kind))
  }

  startOfMix(mix: Mix): number {
    return sumOf(mix, (kind) => this.startOf(kind))
  }

  /** Learns from changes of a kind that were seen where `expected` were by the figures of the field. */
  learn(kind: Kind, observation: Observation): void {
    this.#learnt.set(kind, observe(this.#learnt.get(kind) ?? noActivity(observation.until), observation))
  }
}

/** The sum of a rate over all of a mix. Each page of a pass asks for several: no list is made for it. */
function sumOf(mix: Mix, rateOf: (kind: Kind) => number): number {
  let sum = 0
  for (const kind of KINDS) {
    const amount = mix[kind]
    if (amount !== undefined) sum += amount * rateOf(kind)
  }
  return sum
}

export const KINDS: readonly Kind[] = [...PHASES, 'record', 'arrival']

export function isKind(text: string): text is Kind {
  return KINDS.some((kind) => kind === text)
}

/** The kind of a record: its phase where it has one, else that it is a record. */
export function kindOf(span: PhaseSpan | null, now: number): Kind {
  return span === null ? 'record' : phaseAt(span, now)
}

export function mixOf(kinds: readonly Kind[]): Mix {
  const mix: Partial<Record<Kind, number>> = {}
  for (const kind of kinds) mix[kind] = (mix[kind] ?? 0) + 1
  return mix
}

function startRate(resource: RecordResource, kind: Kind): number {
  if (kind === 'record') return RECORD_RATES[resource] / DAY_MS
  if (kind === 'arrival') return ARRIVALS / DAY_MS
  return (RESOURCES[resource].phases === 'shipment' ? TRACKING_RATES : SHIPMENT_RATES)[kind] / DAY_MS
}

interface Observation {
  /** Changes that were expected since `Activity.at` by the rates of its kind. */
  readonly expected: number
  readonly changes: number
  readonly until: number
}

/** Changes of two months ago say little. */
const HALF_LIFE_MS = 20 * 86_400_000
/** Things of one kind differ much: the liveliest sixth changes some three times as often as the middle one. */
const UNIT_PRIOR = 0.7

export function noActivity(at: number): Activity {
  return { changes: 0, expected: 0, at }
}

/**
 * What was learnt with everything up to `until`; both sides are forgotten alike, and at one time no more than half: of years
 * between two looks nothing was seen, or a clock leapt over them.
 */
export function observe(activity: Activity, { expected, changes, until }: Observation): Activity {
  const elapsed = Math.max(0, until - activity.at)
  const remaining = 2 ** -Math.min(elapsed / HALF_LIFE_MS, 1)
  return {
    changes: activity.changes * remaining + changes,
    expected: activity.expected * remaining + expected,
    at: activity.at + elapsed,
  }
}

/**
 * How many times as lively as its kind something is: Gamma-Poisson with exposure counted in expected changes, so that what was
 * learnt in one phase says how lively it is in the next. `surprise`: how many times as lively its kind has proved as was
 * expected of it. `prior`: how many expected changes the knowledge of its kind weighs.
 */
export function liveliness(activity: Activity, surprise: number, prior = UNIT_PRIOR): number {
  return (prior + activity.changes) / (prior + surprise * activity.expected)
}

/** The most expected changes that one read counts for: it only shows that there was at least one. */
const MOST_TAUGHT = 0.8

/**
 * What a read teaches that shows a change where `expected` were expected since the read before: it only says "at least one"
 * (censored exposure; Cho and Garcia-Molina, "Estimating frequency of change", 2003), and the longer ago that read, the less.
 * `likely`: the same by what was learnt. Neither counts beyond a bound, or what changes between all its reads would seem to change
 * ever more often.
 */
export function changeShown(expected: number, likely = expected): Pick<Observation, 'expected' | 'changes'> {
  const taught = Math.min(expected, MOST_TAUGHT)
  return { expected: taught, changes: changesBehind(Math.max(taught, Math.min(likely, MOST_TAUGHT))) }
}

/** How many there were where at least one was. */
function changesBehind(expected: number): number {
  return expected < 1e-6 ? 1 : expected / -Math.expm1(-expected)
}
