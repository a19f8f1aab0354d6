import { arrivalOf, type HeldEstimate, type Read, type Settling } from '../../model/record-state.ts'
import type { Observed } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import type { Estimate, Estimates, TwoReadings } from './estimates.ts'

export interface Withholding extends TwoReadings {
  readonly estimates: Estimates
  readonly leaves: readonly LeafChange[]
  /** What was held until now. */
  readonly settling: Settling | undefined
  readonly settleMs: number
  /** The read that showed `after`, and the one before it. */
  readonly read: Read
  readonly lastRead: Read
  /** The instant at which is decided what has been held for long enough. */
  readonly now: number
}

export interface Withheld {
  /** The leaves that ring now. */
  readonly ringing: readonly LeafChange[]
  /** `after` without what is held. */
  readonly reported: JsonObject
  /** What is held back; undefined: nothing. */
  readonly settling: Settling | undefined
  /** When a leaf of an estimate that was held changed, as far as reads can tell; null: between the last two reads. */
  readonly observed: (leaf: LeafChange) => Observed | null
}

/** One estimate that differs from what events have reported. */
interface Pending {
  readonly key: string
  readonly leaves: readonly LeafChange[]
  readonly held: HeldEstimate
  readonly rings: boolean
}

/**
 * Splits a difference into what rings and the estimates that wait (guarantee K6, `settle`). An estimate waits from the
 * first answer that shows it differ from what was emitted, however often it moves on meanwhile: a date that creeps for ever
 * still rings every `settle`. One that is back at what was emitted is held no longer and rings nothing.
 */
export function withhold(input: Withholding): Withheld {
  const { before, after, estimates, leaves, shipment } = input
  const estimateOf = new Map(leaves.map((leaf) => [leaf, estimates.of(leaf, { before, after, shipment })]))
  const pending = pendingEstimates(input, estimateOf)
  const waiting = pending.filter(({ rings }) => !rings)
  const waitingLeaves = new Set(waiting.flatMap((each) => each.leaves))
  const changedAt = new Map(
    pending.flatMap(({ key, held, leaves: own }) => {
      const { notBefore, notAfter } = held
      const wasHeld = heldBefore(input, key) !== undefined
      return wasHeld ? own.map((leaf) => [leaf, { notBefore, notAfter }] as const) : []
    }),
  )
  return {
    ringing: leaves.filter((leaf) => !waitingLeaves.has(leaf)),
    reported: waiting.length === 0 ? after : estimates.keep([...waitingLeaves], { before, after, shipment }),
    settling: settlingOf(waiting, input.settleMs),
    observed: (leaf) => changedAt.get(leaf) ?? null,
  }
}

function pendingEstimates(
  input: Withholding,
  estimateOf: ReadonlyMap<LeafChange, Estimate | null>,
): readonly Pending[] {
  const known = [...estimateOf].flatMap(([leaf, estimate]) => (estimate === null ? [] : [{ leaf, estimate }]))
  return [...Map.groupBy(known, ({ estimate }) => estimate.part ?? estimate.key).values()].map((members) => {
    const key = members[0]?.estimate.key ?? ''
    const leaves = members.map(({ leaf }) => leaf)
    const held = heldNow(input, key, leaves)
    return { key, leaves, held, rings: isSettled(input, held) || members.some(({ estimate }) => !estimate.mayWait) }
  })
}

function heldBefore({ settling }: Withholding, key: string): HeldEstimate | undefined {
  return settling !== undefined && Object.hasOwn(settling.estimates, key) ? settling.estimates[key] : undefined
}

function heldNow(input: Withholding, key: string, leaves: readonly LeafChange[]): HeldEstimate {
  const { read, lastRead } = input
  const value = JSON.stringify(leaves.map(canonicalChange).sort())
  const known = heldBefore(input, key)
  if (known === undefined) {
    return { since: arrivalOf(read), notBefore: lastRead.sentAt, notAfter: arrivalOf(read), value }
  }
  return known.value === value ? known : { ...known, notAfter: arrivalOf(read), value }
}

/** Held for long enough, or since an instant that lies ahead: the clock was set back. */
function isSettled({ now, settleMs }: Withholding, { since }: HeldEstimate): boolean {
  return now >= since + settleMs || now < since
}

function settlingOf(waiting: readonly Pending[], settleMs: number): Settling | undefined {
  if (waiting.length === 0) return undefined
  return {
    dueAt: Math.min(...waiting.map(({ held }) => held.since)) + settleMs,
    estimates: Object.fromEntries(waiting.map(({ key, held }) => [key, held])),
  }
}
