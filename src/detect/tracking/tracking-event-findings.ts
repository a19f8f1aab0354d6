import type { EventType } from '../../model/event-catalogue.ts'
import { parseInstant } from '../../model/instant.ts'
import { asText, field, isJsonObject, type Json } from '../../model/json.ts'
import { leavesFinding, type Claims, type Finding } from '../claims.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { foldText } from '../compare/scalar.ts'
import { becameKnown, eventText } from './tracking-shape.ts'

/** One event per tracking event, in the order of their dates; the first of a step that comes or goes reports the step too. */
export function trackingEventFindings(claims: Claims): readonly Finding[] {
  const own = eventChanges(claims.take(isEventLeaf))
  const changed = inOrderOfDates([...own, ...witnesses(claims, own)])
  const carriers = {
    added: firstByStep(changed, 'before'),
    gone: firstByStep(changed, 'after'),
    known: new Map(
      changed.toReversed().flatMap((each) => (stays(each) ? [[each.pair.after?.owner?.index, each]] : [])),
    ),
  }
  const carrierOf = (leaf: LeafChange): EventChange | undefined => stepCarrier(leaf, carriers)
  const stepLeaves = Map.groupBy(
    claims.take((leaf) => carrierOf(leaf) !== undefined),
    carrierOf,
  )
  const whole = changed.map((each) => ({ ...each, stepLeaves: stepLeaves.get(each) ?? [] }))
  return inOrderOfDates(whole).flatMap((each) => eventFinding(each.pair, [...each.stepLeaves, ...each.leaves]))
}

type ByStep = ReadonlyMap<number | undefined, EventChange>

function isEventLeaf({ keys, pairs }: LeafChange): boolean {
  return keys[0] === 'tracking_steps' && keys[2] === 'events' && pairs.length > 1
}

/** The first event of each step, by the step's index, that is missing on a side. */
function firstByStep(changed: readonly EventChange[], missing: 'before' | 'after'): ByStep {
  const present = missing === 'before' ? 'after' : 'before'
  const alone = changed.filter(({ pair }) => pair[missing] === null)
  return new Map(alone.toReversed().map((each) => [each.pair[present]?.owner?.index, each]))
}

/** The event that reports a leaf of a step that came or went. */
function stepCarrier(
  { keys, pairs }: LeafChange,
  carriers: { readonly added: ByStep; readonly gone: ByStep; readonly known: ByStep },
): EventChange | undefined {
  const [step] = pairs
  if (keys[0] !== 'tracking_steps' || step === undefined) return undefined
  if (step.before === null) return carriers.added.get(step.after?.index)
  if (step.after === null) return carriers.gone.get(step.before.index)
  return becameKnown(step) ? carriers.known.get(step.after.index) : undefined
}

function stays({ pair }: EventChange): boolean {
  return pair.before !== null && pair.after !== null
}

/**
 * For each step of which more is known than before, and of whose events none that stays has changed, the first that stays: it
 * reports what is new of the step.
 */
function witnesses(claims: Claims, changed: readonly EventChange[]): readonly EventChange[] {
  const steps = new Set(claims.peekUnder('tracking_steps').flatMap(({ pairs }) => pairs[0] ?? []))
  const told = new Set(changed.filter(stays).map(({ pair }) => pair.after?.owner?.index))
  return [...steps]
    .filter((step) => becameKnown(step) && !told.has(step.after?.index))
    .flatMap((step) => {
      const pair = firstThatStays(step)
      return pair === null ? [] : [{ pair, leaves: [], stepLeaves: [] }]
    })
}

/** The first event of a step, by its date, that was there before; of one date, by what they mean. */
function firstThatStays({ inner = [] }: Pair): Pair | null {
  let first: Pair | null = null
  for (const pair of inner) {
    if (pair.before !== null && pair.after !== null && (first === null || isEarlier(pair, first))) first = pair
  }
  return first
}

function isEarlier(one: Pair, other: Pair): boolean {
  const [left, right] = [instantOf(one), instantOf(other)]
  return left === right ? textOf(one) < textOf(other) : left < right
}

function textOf({ after }: Pair): string {
  return after === null ? '' : eventText(after)
}

function eventFinding(pair: Pair, leaves: readonly LeafChange[]): readonly Finding[] {
  const extras = {
    step: withoutEvents((pair.after ?? pair.before)?.owner?.value ?? null),
    event: pair.after?.value ?? null,
    previous_event: pair.before?.value ?? null,
  }
  return leavesFinding(typeOf(pair, leaves), leaves, { extras })
}

function typeOf({ before, after }: Pair, leaves: readonly LeafChange[]): EventType {
  if (before === null) return 'tracking.event_added'
  if (after === null) return 'tracking.event_retracted'
  const becameActual = leaves.some(isStatusLeaf) && isActual(after.value) && !isActual(before.value)
  return becameActual ? 'tracking.event_actualised' : 'tracking.event_updated'
}

function isStatusLeaf({ keys }: LeafChange): boolean {
  return keys[4] === 'status'
}

function isActual(event: Json): boolean {
  return foldText(asText(field(event, 'status')) ?? '') === 'actual'
}

function withoutEvents(step: Json): Json {
  return isJsonObject(step) ? Object.fromEntries(Object.entries(step).filter(([name]) => name !== 'events')) : step
}

/** A tracking event that changed, beside what changed in it. */
interface EventChange {
  readonly pair: Pair
  readonly leaves: readonly LeafChange[]
  /** The leaves of the step, where the event reports that it came or went. */
  readonly stepLeaves: readonly LeafChange[]
}

function eventChanges(leaves: readonly LeafChange[]): readonly EventChange[] {
  return [...Map.groupBy(leaves, (leaf) => leaf.pairs[1])].flatMap(([pair, own]) =>
    pair === undefined ? [] : [{ pair, leaves: own, stepLeaves: [] }],
  )
}

/**
 * Undated ones last; of one date, what went before what came, then by all that is reported, so that it does not depend on the
 * order of the arrays; of equal events, one that reports its step first.
 */
function inOrderOfDates(changed: readonly EventChange[]): readonly EventChange[] {
  return changed
    .map((each) => ({ each, at: instantOf(each.pair), order: orderOf(each) }))
    .sort((left, right) => left.at - right.at || (left.order < right.order ? -1 : Number(left.order > right.order)))
    .map(({ each }) => each)
}

const UNDATED = Number.MAX_SAFE_INTEGER

function instantOf({ before, after }: Pair): number {
  return parseInstant(field((after ?? before)?.value ?? null, 'date')) ?? UNDATED
}

function orderOf({ pair: { before, after }, leaves, stepLeaves }: EventChange): string {
  const rank = after === null ? 0 : before === null ? 2 : 1
  const tellsStep = stepLeaves.length > 0 ? 0 : 1
  return [rank, ...textsOf(leaves), tellsStep, ...textsOf(stepLeaves)].join('\n')
}

function textsOf(leaves: readonly LeafChange[]): readonly string[] {
  return leaves.map(canonicalChange).sort()
}
