import type { JsonObject } from '../model/json.ts'
import type { RecordState } from '../model/record-state.ts'
import { isClosed } from '../model/shipment.ts'
import { asText } from '../model/json.ts'
import { compare } from './compare/compare.ts'
import type { LeafChange } from './compare/leaf-change.ts'
import type { Comparison, ResourceRules } from './comparison.ts'
import type { Detected, DetectInput } from './detect-input.ts'
import { draftEvents } from './draft-events.ts'
import type { Finding } from './finding.ts'
import { isTooDeep } from './nesting.ts'
import { isFresh } from './read-order.ts'
import { RESOURCE_RULES } from './resource-rules.ts'

type Shown = DetectInput & { readonly after: JsonObject }

/**
 * What a read of one record teaches: its new state, and the events that tell the difference (contract sections 3 and 4).
 * Pure: the same input gives the same ids. A read that is not younger than the one last applied teaches nothing, so slow
 * and overlapping answers never undo a newer one; neither does a record nested too deep to be believed.
 */
export function detectChange(input: DetectInput): Detected {
  const { before, after, read } = input
  if (before !== null && !isFresh(read, before.lastRead)) return { state: before, events: [] }
  if (after === null || isTooDeep(after)) return { state: unseenState(input), events: [] }
  const shown = { ...input, after }
  const rules = RESOURCE_RULES[input.resource]
  return rules === undefined ? learnOnly(shown) : detectShown(shown, rules)
}

function detectShown(input: Shown, rules: ResourceRules): Detected {
  const { before, after, read } = input
  const { shownAt: _shownAt, ...memory } = before?.memory ?? {}
  const known = { before: before?.reported ?? {}, after, at: read.answeredAt, memory }
  const comparison: Comparison = { ...known, learnt: rules.learn(known) }
  const findings = input.mode === 'silent' ? [] : findingsOf(input, rules, comparison)
  const { version, lastEventId } = baseOf(input)
  const { events, chain } = draftEvents(input, findings, { version, lastEventId, memory: comparison.learnt })
  return { state: { ...baseOf(input), ...chain, ...shownState(input) }, events }
}

function findingsOf(input: Shown, rules: ResourceRules, comparison: Comparison): readonly Finding[] {
  const leaves = (): readonly LeafChange[] =>
    compare(rules.shape, comparison.before, comparison.after).filter((leaf) => !tellsIdentity(leaf, input.id, rules))
  if (input.before === null) return rules.appeared(comparison, leaves)
  const changed = leaves()
  return changed.length === 0 ? [] : rules.changed(comparison, changed)
}

/** The field that makes the record this record (contract section 3.11) never tells a change, even under another name. */
function tellsIdentity({ keys, from, to }: LeafChange, id: string, rules: ResourceRules): boolean {
  const [name] = keys
  if (name === undefined || keys.length !== 1) return false
  const sides = [asText(from), asText(to)].filter((text) => text !== null)
  return sides.every((text) => text === id) && (sides.length === 2 || rules.isIdentity(name))
}

function learnOnly(input: Shown): Detected {
  return { state: { ...baseOf(input), ...shownState(input) }, events: [] }
}

/** What was shown before stays, and when it was last shown. */
function unseenState(input: DetectInput): RecordState {
  const base = baseOf(input)
  if (base.seen === null) return { ...base, lastRead: input.read }
  const shownAt = base.memory.shownAt ?? base.lastRead.sentAt
  return { ...base, lastRead: input.read, memory: { ...base.memory, shownAt } }
}

function shownState({
  resource,
  before,
  after,
  read,
}: Shown): Pick<RecordState, 'seen' | 'reported' | 'closedAt' | 'lastRead'> {
  const closed = resource === 'shipment' && isClosed(after)
  return {
    seen: after,
    reported: after,
    closedAt: closed ? (before?.closedAt ?? read.answeredAt) : null,
    lastRead: read,
  }
}

function baseOf(input: DetectInput): RecordState {
  const { resource, id, before, read, mode } = input
  if (before !== null) return before
  return {
    resource,
    id,
    seen: null,
    reported: null,
    version: 0,
    lastEventId: null,
    atBaseline: mode === 'silent',
    firstSeenAt: read.answeredAt,
    closedAt: null,
    lastRead: read,
    memory: {},
  }
}
