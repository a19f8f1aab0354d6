import type { EventDraft } from '../model/event.ts'
import { fullPayload } from '../model/payload.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import type { SnapshotPart, SnapshotProgress } from '../model/snapshot-run.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchesAccount } from './matches.ts'
import type { FilterFailure } from './route.ts'

interface Watching {
  readonly name: string
  readonly watch: Readonly<Partial<Record<Watchable, unknown>>>
}

/**
 * What a run of a subscription sends: of its accounts the resources whose family a pattern of `events` names. `only`: that resource
 * alone, if it is one of them.
 */
export function partsOf(
  subscription: Subscription,
  accounts: readonly Watching[],
  only: RecordResource | null = null,
): readonly SnapshotPart[] {
  return accounts
    .filter(({ name }) => matchesAccount(subscription, { account: name }))
    .flatMap(({ name, watch }) =>
      Object.entries(RECORD_OF)
        .filter(([watched]) => Object.hasOwn(watch, watched))
        .map(([, resource]) => ({ account: name, resource }))
        .filter(({ resource }) => only === null || resource === only)
        .filter(({ resource }) => familiesOf(resource).some((family) => namesFamily(subscription.events, family))),
    )
}

/** The first segments of the types of the events of a resource. */
function familiesOf(resource: RecordResource): readonly string[] {
  return resource === 'invoice' ? ['invoice', 'credit_note'] : [resource]
}

/** Whether a pattern names a type of a family, or all of them. */
function namesFamily(patterns: readonly string[], family: string): boolean {
  return patterns.some((pattern) => pattern === '*' || pattern.startsWith(`${family}.`))
}

/** What a subscription is sent of the records of a slice. */
export interface JudgedSlice {
  readonly sent: readonly EventDraft[]
  /** How many `where` left out. */
  readonly leftOut: number
  readonly failures: readonly FilterFailure[]
}

/**
 * Judges the snapshots of a slice, null for a record that has nothing to show. What `where` cannot be judged on is sent, as any event
 * is. An invoice may be of a family that no pattern names.
 */
export function judgeSlice(subscription: Subscription, snapshots: readonly (EventDraft | null)[]): JudgedSlice {
  const sent: EventDraft[] = []
  const failures: FilterFailure[] = []
  let leftOut = 0
  for (const event of snapshots) {
    if (event === null || !namesFamily(subscription.events, familyOf(event))) continue
    const { filter, name } = subscription
    // An addressed event has no sequence, whatever number it is given.
    const verdict = filter?.judge(fullPayload({ ...event, sequence: 0 })) ?? null
    if (verdict?.kind === 'no match') leftOut += 1
    else sent.push(event)
    if (filter !== null && verdict?.kind === 'failed')
      failures.push({ subscription: name, expression: filter.expression, event, reason: verdict.reason })
  }
  return { sent, leftOut, failures }
}

function familyOf({ type }: EventDraft): string {
  return type.slice(0, type.indexOf('.'))
}

interface Slice {
  /** The ids of the records that were looked at, in order. */
  readonly ids: readonly string[]
  /** How many were asked for. */
  readonly limit: number
  readonly sent: number
  readonly leftOut: number
  readonly at: number
}

/** How far a part is after a slice: it ends with the first slice that is not full. */
export function progressAfter(before: SnapshotProgress, { at, ids, leftOut, limit, sent }: Slice): SnapshotProgress {
  return {
    ...before,
    after: ids.at(-1) ?? before.after,
    sent: before.sent + sent,
    leftOut: before.leftOut + leftOut,
    endedAt: ids.length < limit ? at : null,
  }
}

/** How many rows of its runs a subscription has pending at most: a live row never waits behind more. */
const MOST_PENDING = 20

/** How many records the next slice looks at. `pending`: the rows of runs that wait; a subscription that is pulled waits for none. */
export function sliceRoom(pending: number, isPulled: boolean): number {
  return isPulled ? MOST_PENDING : Math.max(MOST_PENDING - pending, 0)
}
