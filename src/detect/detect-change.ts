import { arrivalOf, isFresh, newRecordState, type RecordMemory, type RecordState } from '../model/record-state.ts'
import type { EventDraft } from '../model/event.ts'
import { asText, nestsDeeperThan, type JsonObject } from '../model/json.ts'
import { isClosed } from '../model/shipment.ts'
import { nextEdgeAt, turnCalendar } from './calendar/ring-edges.ts'
import { compare } from './compare/compare.ts'
import type { LeafChange } from './compare/leaf-change.ts'
import type { Shape } from './compare/shape.ts'
import type { Comparison, ResourceRules } from './comparison.ts'
import { DEEPEST, type Detected, type DetectInput } from './detect-input.ts'
import { draftEvents, type Chain } from './draft-events.ts'
import { rememberLostFields, withoutFirstValues, type Absorption } from './drift/drifted-paths.ts'
import type { Finding } from './claims.ts'
import { comparedView } from './ignore/compared-view.ts'
import { restoredFindings } from './restored-findings.ts'
import { RESOURCE_RULES } from './resource-rules.ts'
import { silentNews } from './standing.ts'
import { withhold, type Withheld } from './settle/withhold.ts'

interface Shown extends DetectInput {
  readonly after: JsonObject
  /** When what no read shows by itself fires: days that are crossed. */
  readonly firedAt: number
}

/**
 * What a read of one record teaches: its new state, and the events that report the difference (guarantees D4 and E1).
 * Pure: the same input gives the same ids. A read that is not younger than the one last applied teaches nothing, so slow
 * and overlapping answers never undo a newer one; neither does a record nested too deep to be believed.
 */
export function detectChange(input: DetectInput): Detected {
  const { before, after, read } = input
  if (before !== null && !isFresh(read, before.lastRead)) return { state: before, events: [] }
  if (after === null || nestsDeeperThan(after, DEEPEST)) return { state: unseenState(input), events: [] }
  return detectShown({ ...input, after, firedAt: arrivalOf(read) }, RESOURCE_RULES[input.resource])
}

export interface SettleInput extends Pick<
  DetectInput,
  'account' | 'resource' | 'ignore' | 'absorbed' | 'shipment' | 'settleMs' | 'calendar' | 'publicUrl'
> {
  readonly before: RecordState
  readonly now: number
}

/** Rings the estimates of a record that have waited for long enough, as its last read showed them. */
export function detectSettled({ before, now, ...rest }: SettleInput): Detected {
  if (before.memory.settling === undefined || before.seen === null) return { state: before, events: [] }
  const read = before.lastRead
  const shown = { id: before.id, before, after: before.seen, read, mode: 'ring', absentAt: null, firedAt: now } as const
  const { state, events } = detectShown({ ...rest, ...shown }, RESOURCE_RULES[rest.resource])
  const { lastShown } = before.memory
  // No read was applied: where the last ones did not find the record, they still did not.
  return { state: lastShown === undefined ? state : { ...state, memory: { ...state.memory, lastShown } }, events }
}

function detectShown(input: Shown, rules: ResourceRules): Detected {
  const { before, after, read } = input
  const view = comparedView(rules.shape, input.ignore)
  const difference = differenceOf(input, rules, view.shape)
  const { reported, settling } = difference
  const known = {
    before: view.of(before?.reported ?? {}),
    after: view.of(after),
    sent: after,
    at: arrivalOf(read),
    memory: rememberLostFields(absorptionOf(input, rememberedOf(before))),
  }
  const learnt = rules.learn(known)
  const turn = turnCalendar(input, reported, settling === undefined ? learnt : { ...learnt, settling })
  const base = baseOf(input)
  const start = { version: base.version, lastEventId: base.lastEventId, memory: turn.memory }
  if (input.mode === 'silent') return withExceptions(input, stateAfter(input, reported, { base, chain: start }), [])
  const changed = difference.findings({ ...known, learnt: turn.memory })
  const findings = turn.findings.length === 0 ? changed : [...changed, ...turn.findings]
  const { events, chain } = draftEvents({ ...input, observed: difference.observed }, findings, start)
  return withExceptions(input, stateAfter(input, reported, { base, chain }), events)
}

function withExceptions({ before, firedAt, mode }: Shown, state: RecordState, events: readonly EventDraft[]): Detected {
  const exceptions = silentNews({ before, after: state, mode, events, at: firedAt })
  return exceptions === undefined ? { state, events } : { state, events, exceptions }
}

/** What is remembered whether or not this read shows the same. */
function rememberedOf(before: RecordState | null): RecordMemory {
  const memory = before?.memory ?? {}
  if (memory.lastShown === undefined && memory.settling === undefined) return memory
  const { lastShown: _lastShown, settling: _settling, ...remembered } = memory
  return remembered
}

/** Each field by itself: every changed record passes here, and what is spread over another object is copied slowly. */
function stateAfter(
  { after, calendar, read, resource }: Shown,
  reported: JsonObject,
  { base, chain }: { readonly base: RecordState; readonly chain: Chain },
): RecordState {
  const { memory } = chain
  const isShutNow = resource === 'shipment' && isClosed(after)
  return {
    resource: base.resource,
    id: base.id,
    seen: after,
    reported,
    version: chain.version,
    lastEventId: chain.lastEventId,
    atBaseline: base.atBaseline,
    firstSeenAt: base.firstSeenAt,
    closedAt: isShutNow ? (base.closedAt ?? arrivalOf(read)) : null,
    removedAt: null,
    lastRead: read,
    nextEdgeAt: calendar === undefined ? base.nextEdgeAt : nextEdgeAt({ resource, seen: after, memory }, calendar),
    memory,
  }
}

/** What a read has to report. */
interface Difference extends Pick<Withheld, 'reported' | 'settling' | 'observed'> {
  readonly findings: (comparison: Comparison) => readonly Finding[]
}

function differenceOf(input: Shown, rules: ResourceRules, shape: Shape): Difference {
  const { after, before } = input
  const leaves = (): readonly LeafChange[] =>
    compare(shape, before?.reported ?? {}, after).filter((leaf) => !tellsIdentity(leaf, input.id, rules))
  const whole = { reported: after, settling: undefined, observed: () => null }
  if (input.mode === 'silent') return { ...whole, findings: () => [] }
  if (before === null || isNew(input, before)) {
    return { ...whole, findings: (comparison) => rules.appeared(comparison, leaves) }
  }
  if (before.removedAt !== null) return { ...whole, findings: () => restoredFindings(input, before) }
  const withheld = withholdEstimates(input, rules, withoutFirstValues(leaves(), absorptionOf(input, before.memory)))
  const { ringing } = withheld
  return { ...withheld, findings: (comparison) => (ringing.length === 0 ? [] : rules.changed(comparison, ringing)) }
}

function withholdEstimates(
  { after, before, firedAt: now, read, settleMs = 0, shipment }: Shown,
  { estimates }: ResourceRules,
  leaves: readonly LeafChange[],
): Withheld {
  const settling = before?.memory.settling
  if (estimates === undefined || before === null || (settleMs === 0 && settling === undefined)) {
    return { ringing: leaves, reported: after, settling: undefined, observed: () => null }
  }
  const { lastRead } = before
  const readings = { before: before.reported ?? {}, after, shipment }
  return withhold({ ...readings, estimates, leaves, settling, settleMs, read, lastRead, now })
}

function absorptionOf({ absorbed = [], before, after }: Shown, memory: RecordMemory): Absorption {
  return { absorbed, before: before?.reported ?? {}, after, memory }
}

/**
 * No event has reported it: reads showed nothing so far, or it went as silently as it came in an interrupted baseline. A
 * tracking is there with its shipment: what comes to it are changes.
 */
function isNew({ resource }: Shown, before: RecordState): boolean {
  if (before.removedAt !== null) return before.version === 0
  return resource !== 'tracking' && before.reported === null
}

/** The field that makes the record this record (guarantee D11) never counts as a change, even under another name. */
function tellsIdentity({ keys, from, to }: LeafChange, id: string, rules: ResourceRules): boolean {
  const name = keys[0]
  if (name === undefined || keys.length !== 1) return false
  const sides = [asText(from), asText(to)].filter((text) => text !== null)
  return sides.every((text) => text === id) && (sides.length === 2 || rules.isIdentity(name))
}

/** What was shown before stays, and when it was last shown. */
function unseenState(input: DetectInput): RecordState {
  const base = baseOf(input)
  if (base.seen === null || base.removedAt !== null) return { ...base, lastRead: input.read }
  const lastShown = base.memory.lastShown ?? base.lastRead
  return { ...base, lastRead: input.read, memory: { ...base.memory, lastShown } }
}

function baseOf(input: DetectInput): RecordState {
  const { before, read, mode } = input
  return before ?? newRecordState(input, { read, atBaseline: mode === 'silent' })
}
