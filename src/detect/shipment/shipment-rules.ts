import type { EventType } from '../../model/event-catalogue.ts'
import { formatInstant, parseInstant } from '../../model/instant.ts'
import { asText, field, textField, type Json, type JsonObject } from '../../model/json.ts'
import { milestoneChangeType, saysReached } from '../../model/milestone-change.ts'
import type { MilestoneMemory, RecordMemory } from '../../model/record-state.ts'
import {
  MILESTONES,
  SHIPMENT_STATUSES,
  trackingDate,
  trackingInstant,
  trackingStatus,
  type Milestone,
} from '../../model/shipment.ts'
import { Claims, isUnder, leavesFinding, type Finding } from '../claims.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { foldText } from '../compare/scalar.ts'
import { fromTo, type Comparison, type ResourceRules } from '../comparison.ts'
import { fieldFindings } from './field-findings.ts'
import { shipmentEstimates } from './shipment-estimates.ts'
import { SHIPMENT_SHAPE } from './shipment-shape.ts'

export const shipmentRules: ResourceRules = {
  shape: SHIPMENT_SHAPE,
  isIdentity: (name) => /(?:^|_)shipment_id$/.test(name),
  estimates: shipmentEstimates,
  learn: learnMilestones,
  appeared: ({ after }) => [
    {
      type: 'shipment.created',
      about: { kind: 'record' },
      extras: {},
      remember: (memory, id) => rememberActuals(memory, after, id),
    },
  ],
  changed: (comparison, leaves) => {
    const claims = new Claims(leaves)
    return statusFindings(comparison, claims).concat(
      milestoneFindings(comparison, claims),
      bookingFindings(comparison, claims),
      containerFindings(claims),
      leavesFinding('shipment.cargo_updated', claims.takeUnder('cargo')),
      invoiceStatusFindings(comparison, claims),
      fieldFindings(comparison, claims),
      leavesFinding('shipment.updated', claims.takeRest()),
    )
  },
}

const ORDER: readonly unknown[] = SHIPMENT_STATUSES

function statusFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  if (!claims.hasUnder('status')) return []
  const regression = isRegression(field(comparison.before, 'status'), field(comparison.after, 'status'))
  const extras = { ...fromTo(comparison, 'status'), regression }
  return leavesFinding('shipment.status_changed', claims.takeUnder('status'), { extras })
}

function invoiceStatusFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  if (!claims.hasUnder('invoice_status')) return []
  const extras = fromTo(comparison, 'invoice_status')
  return leavesFinding('shipment.invoice_status_changed', claims.takeUnder('invoice_status'), { extras })
}

/** Moved backwards, or out of `cancelled`; never with a status that nobody knows. */
function isRegression(from: Json | undefined, to: Json | undefined): boolean {
  if (!ORDER.includes(to)) return false
  return from === 'cancelled' || ORDER.indexOf(to) < ORDER.indexOf(from)
}

const MEANS = [
  { name: 'vessel', path: ['booking_information', 'ocean_booking', 'vessel'] },
  { name: 'voyage', path: ['booking_information', 'ocean_booking', 'voyage'] },
  { name: 'flight_number', path: ['booking_information', 'air_booking', 'flight_number'] },
] as const

/** `rolled` claims vessel, voyage and flight; whatever else changed in the booking, or all of it, is an update. */
function bookingFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  if (!claims.hasUnder('booking_information')) return []
  const from = meansOf(comparison.before)
  const to = meansOf(comparison.after)
  const departed = trackingStatus(comparison.after, 'departure') === 'actual'
  const changed = MEANS.filter(({ path }) => claims.hasUnder(...path))
  const rolled = !departed && changed.some(({ name }) => becameAnother(from[name], to[name]))
  const leaves = rolled ? claims.take((leaf) => MEANS.some(({ path }) => isUnder(leaf, path))) : []
  return [
    ...leavesFinding('shipment.rolled', leaves, { extras: { from, to } }),
    ...leavesFinding('shipment.booking_updated', claims.takeUnder('booking_information')),
  ]
}

function meansOf(shipment: JsonObject): JsonObject {
  return Object.fromEntries(MEANS.map(({ name, path }) => [name, valueAt(shipment, path)]))
}

function valueAt(shipment: JsonObject, path: readonly string[]): Json {
  return path.reduce<Json>((value, name) => field(value, name) ?? null, shipment)
}

function becameAnother(from: Json | undefined, to: Json | undefined): boolean {
  const known = foldText(asText(from) ?? '')
  const now = foldText(asText(to) ?? '')
  return known !== '' && now !== '' && known !== now
}

/** One event per container, in an order that does not depend on the arrays'. */
function containerFindings(claims: Claims): readonly Finding[] {
  const leaves = claims.take(({ keys, pairs }) => keys[0] === 'cargo' && keys[1] === 'containers' && pairs.length > 0)
  if (leaves.length === 0) return []
  const byContainer = [...Map.groupBy(leaves, (leaf) => leaf.pairs[0])].map(([pair, own]) => ({
    pair,
    own,
    order: orderOf(own),
  }))
  return byContainer
    .sort((left, right) => (left.order < right.order ? -1 : Number(left.order > right.order)))
    .flatMap(({ pair, own }) => (pair === undefined ? [] : containerFinding(pair, own)))
}

function orderOf(leaves: readonly LeafChange[]): string {
  return leaves.map(canonicalChange).sort().join('\n')
}

function containerFinding({ before, after }: Pair, leaves: readonly LeafChange[]): readonly Finding[] {
  const extras = { container: (after ?? before)?.value ?? null }
  if (before === null) return leavesFinding('shipment.container_added', leaves, { extras })
  if (after === null) return leavesFinding('shipment.container_removed', leaves, { extras })
  return leavesFinding('shipment.container_updated', leaves, { extras })
}

/** One event per `main_tracking_dates` entry that changed. */
function milestoneFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  if (!claims.hasUnder('main_tracking_dates')) return []
  return MILESTONES.flatMap((milestone) => {
    const leaves = claims.takeUnder('main_tracking_dates', `${milestone}_date`)
    return leaves.length === 0 ? [] : milestoneFinding(comparison, milestone, leaves)
  })
}

function milestoneFinding(
  comparison: Comparison,
  milestone: Milestone,
  leaves: readonly LeafChange[],
): readonly Finding[] {
  const type = typeOf(comparison, milestone, leaves)
  const corrected = type === 'shipment.milestone_corrected'
  const corrects = comparison.memory.milestones?.[milestone]?.actualEventId ?? null
  const tellsActual = statusOf(comparison, 'after', milestone) === 'actual' && (corrected || saysReached(type))
  return leavesFinding(type, leaves, {
    cause: corrected ? 'correction' : 'change',
    extras: { date_change: dateChange(comparison, milestone), ...(corrected ? { corrects } : {}) },
    ...(tellsActual ? { remember: (memory, id) => rememberActual(memory, milestone, id) } : {}),
  })
}

function typeOf(comparison: Comparison, milestone: Milestone, leaves: readonly LeafChange[]): EventType {
  return milestoneChangeType({
    milestone,
    from: statusOf(comparison, 'before', milestone),
    to: statusOf(comparison, 'after', milestone),
    hasMoved: leaves.some((leaf) => leaf.keys[2] === 'date'),
  })
}

function statusOf(comparison: Comparison, side: 'before' | 'after', milestone: Milestone): string | null {
  return trackingStatus(comparison[side], milestone)
}

/** How far one main tracking date moved, and how far from the first one ever seen (guarantee E4, `date_change`). */
function dateChange({ before, after, learnt }: Comparison, milestone: Milestone): JsonObject {
  const from = trackingDate(before, milestone)
  const to = trackingDate(after, milestone)
  const memory = learnt.milestones?.[milestone]
  const first = memory?.first
  const shift = difference(from?.instant, to?.instant)
  return {
    milestone,
    from: from?.raw ?? null,
    to: to?.raw ?? null,
    shift_minutes: minutes(shift),
    direction: shift === null || shift === 0 ? 'none' : shift > 0 ? 'later' : 'earlier',
    first: first === undefined ? null : { date: first.date, seen_at: formatInstant(first.seenAt) },
    drift_minutes: minutes(difference(parseInstant(first?.date), to?.instant)),
    revision: Math.max(memory?.instants.length ?? 0, 1),
  }
}

function difference(from: number | null | undefined, to: number | null | undefined): number | null {
  return typeof from === 'number' && typeof to === 'number' ? to - from : null
}

/** Adding zero turns -0, which JSON cannot carry, into 0. */
function minutes(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 60_000) + 0
}

/**
 * The first date and every distinct instant of each milestone. An actual that is new here belongs to no event until the
 * event that reported it is known: learnt silently, it stays so.
 */
function learnMilestones({ before, after, at, memory }: Omit<Comparison, 'learnt'>): RecordMemory {
  const remembered = memory.milestones ?? {}
  let milestones = remembered
  for (const milestone of MILESTONES) {
    const known = remembered[milestone]
    let learnt = learnMilestone(known, trackingDate(after, milestone), at)
    if (learnt === undefined) continue
    if (isNewActual(before, after, milestone)) learnt = { ...learnt, actualEventId: null }
    if (learnt !== known) milestones = { ...milestones, [milestone]: learnt }
  }
  return milestones === remembered ? memory : { ...memory, milestones }
}

/** The event that reported a milestone's actual. */
function rememberActual(memory: RecordMemory, milestone: Milestone, eventId: string): RecordMemory {
  const known = memory.milestones?.[milestone]
  if (known === undefined) return memory
  return { ...memory, milestones: { ...memory.milestones, [milestone]: { ...known, actualEventId: eventId } } }
}

/** An event about a whole shipment reports all of its actuals. */
function rememberActuals(memory: RecordMemory, shipment: JsonObject, eventId: string): RecordMemory {
  return MILESTONES.filter((milestone) => trackingStatus(shipment, milestone) === 'actual').reduce(
    (known, milestone) => rememberActual(known, milestone, eventId),
    memory,
  )
}

/** The actuals of a shipment that an event about the whole record reports for the first time. */
export function rememberNewActuals(
  memory: RecordMemory,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  eventId: string,
): RecordMemory {
  return MILESTONES.filter((milestone) => isNewActual(before, after, milestone)).reduce(
    (known, milestone) => rememberActual(known, milestone, eventId),
    memory,
  )
}

function learnMilestone(
  known: MilestoneMemory | undefined,
  entry: ReturnType<typeof trackingDate>,
  at: number,
): MilestoneMemory | undefined {
  if (entry === null || entry.instant === null) return known
  const { instant, raw } = entry
  if (known === undefined) {
    return { first: { date: textField(raw, 'date') ?? '', seenAt: at }, instants: [instant], actualEventId: null }
  }
  return known.instants.includes(instant) ? known : { ...known, instants: [...known.instants, instant] }
}

function isNewActual(before: JsonObject, after: JsonObject, milestone: Milestone): boolean {
  if (trackingStatus(after, milestone) !== 'actual') return false
  if (trackingStatus(before, milestone) !== 'actual') return true
  return trackingInstant(before, milestone) !== trackingInstant(after, milestone)
}
