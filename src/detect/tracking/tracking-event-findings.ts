import type { EventType } from '../../model/event-catalogue.ts'
import { asText, field, isJsonObject, type Json } from '../../model/json.ts'
import { foldText } from '../compare/scalar.ts'
import type { Claims } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { inOrderOfDates, eventChanges, type EventChange } from './event-change.ts'

/** One event per tracking event, in the order of their dates; the first of a step that comes or goes tells the step too. */
export function trackingEventFindings(claims: Claims): readonly Finding[] {
  const changed = inOrderOfDates(eventChanges(claims.take(isEventLeaf)))
  const carriers = { added: firstByStep(changed, 'before'), gone: firstByStep(changed, 'after') }
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

/** For each step, by its index, the first of its events that is missing on a side. */
function firstByStep(changed: readonly EventChange[], missing: 'before' | 'after'): ByStep {
  const present = missing === 'before' ? 'after' : 'before'
  const alone = changed.filter(({ pair }) => pair[missing] === null)
  return new Map(alone.toReversed().map((each) => [each.pair[present]?.owner?.index, each]))
}

/** The event that tells a leaf of a step that came or went. */
function stepCarrier(
  { keys, pairs }: LeafChange,
  carriers: { readonly added: ByStep; readonly gone: ByStep },
): EventChange | undefined {
  const [step] = pairs
  if (keys[0] !== 'tracking_steps' || step === undefined) return undefined
  if (step.before === null) return carriers.added.get(step.after?.index)
  return step.after === null ? carriers.gone.get(step.before.index) : undefined
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
