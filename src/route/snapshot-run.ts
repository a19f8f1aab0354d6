import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import { fullPayload } from '../model/payload.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../model/resource.ts'
import {
  newProgress,
  type SnapshotPart,
  type SnapshotProgress,
  type SnapshotRun,
  type SnapshotStanding,
} from '../model/snapshot-run.ts'
import { SNAPSHOT_EVENT_TYPES } from '../model/snapshot-event-types.ts'
import { keptForFeed, takesSnapshots, type Subscription } from '../model/subscription.ts'
import { matchedTypes, matchesAccount } from './matches.ts'
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

/** The types of the snapshots that a subscription is sent first; none where it is sent none. */
export function snapshotTypes({ events, start }: Pick<Subscription, 'events' | 'start'>): readonly EventType[] {
  if (start !== 'snapshot') return []
  return SNAPSHOT_EVENT_TYPES.map(({ type }) => type).filter((type) =>
    namesFamily(events, type.slice(0, type.indexOf('.'))),
  )
}

/** The types of all that a subscription may be sent: what patterns route, and the snapshots that it is sent first. */
export function typesSent(subscription: Subscription): readonly EventType[] {
  return [...matchedTypes(subscription), ...snapshotTypes(subscription)]
}

/** What a subscription is sent of the records of a slice. */
export interface JudgedSlice {
  readonly sent: readonly EventDraft[]
  /** How many `where` left out. */
  readonly leftOut: number
  readonly failures: readonly FilterFailure[]
  /** How many records were looked at: none once as many are sent as there is room for. */
  readonly looked: number
}

/**
 * Judges the snapshots of a slice, null for a record that has nothing to show. What `where` cannot be judged on is sent, as any event
 * is. An invoice may be of a family that no pattern names. `room`: how many are sent at most.
 */
export function judgeSlice(
  subscription: Subscription,
  snapshots: readonly (EventDraft | null)[],
  room = Number.POSITIVE_INFINITY,
): JudgedSlice {
  const sent: EventDraft[] = []
  const failures: FilterFailure[] = []
  let [leftOut, looked] = [0, 0]
  for (const event of snapshots) {
    if (sent.length >= room) break
    looked += 1
    if (event === null || !namesFamily(subscription.events, familyOf(event))) continue
    const { filter, name } = subscription
    // An addressed event has no sequence, whatever number it is given.
    const verdict = filter?.judge(fullPayload({ ...event, sequence: 0 })) ?? null
    if (verdict?.kind === 'no match') leftOut += 1
    else sent.push(event)
    if (filter !== null && verdict?.kind === 'failed')
      failures.push({ subscription: name, expression: filter.expression, event, reason: verdict.reason })
  }
  return { sent, leftOut, failures, looked }
}

function familyOf({ type }: EventDraft): string {
  return type.slice(0, type.indexOf('.'))
}

interface Slice {
  /** The ids of the records that were looked at, in order. */
  readonly ids: readonly string[]
  /** Whether no record follows them. */
  readonly isLast: boolean
  readonly sent: number
  readonly leftOut: number
  readonly at: number
}

/** How far a part is after a slice. */
export function progressAfter(before: SnapshotProgress, { at, ids, isLast, leftOut, sent }: Slice): SnapshotProgress {
  return {
    ...before,
    after: ids.at(-1) ?? before.after,
    sent: before.sent + sent,
    leftOut: before.leftOut + leftOut,
    endedAt: isLast ? at : null,
  }
}

/** How many records a slice sends at most. */
export const MOST_SENT = 20
/** How many it looks at, where some may be left out. */
const MOST_LOOKED = 50

type Pace = Pick<Subscription, 'channel' | 'rate'>

/**
 * How many rows the next slice may make. All that wait of a subscription are under way then, with a place left: a live row goes at once,
 * whatever a run sends. `ready`: those that wait to be sent and for nothing else. A subscription that is pulled waits for none.
 */
export function sliceRoom({ channel, rate }: Pace, ready: number): number {
  if (keptForFeed(channel) !== null) return MOST_SENT
  const places = Math.min(channel.concurrency - 1, rate === null ? MOST_SENT : Math.floor(rate.requests / 2), MOST_SENT)
  return Math.max(Math.max(places, 1) - ready, 0)
}

/** How long a run waits once it made rows of a subscription that has a `rate`: half of that is left to live rows. */
export function sliceRestMs({ rate }: Pick<Subscription, 'rate'>, made: number): number {
  return rate === null ? 0 : (2 * made * rate.perMs) / rate.requests
}

/** How many records of a part a slice looks at to find as many as there is room for. */
export function sliceLooks({ filter }: Pick<Subscription, 'filter'>, { resource }: SnapshotPart, room: number): number {
  return filter === null && resource !== 'invoice' ? room : MOST_LOOKED
}

/** How long all workers take to follow a subscription that is made at run time. */
const FOLLOWED_MS = 3_000

/** Whether every worker routes for the subscriptions that one of them knows of: what rings from now on reaches whom a run has begun for. */
export function isRoutedByAll(
  { begunAt }: Pick<SnapshotRun, 'begunAt'>,
  { isInForce, now, processes }: { readonly isInForce: boolean; readonly now: number; readonly processes: number },
): boolean {
  return isInForce && (processes === 1 || now >= begunAt + FOLLOWED_MS || now < begunAt)
}

/** A part that is left to send, as far as it is. */
type Fate = 'ended' | 'cancelled' | readonly SnapshotProgress[]

/**
 * What becomes of a run: it ends once all of its parts have, and is cancelled where nobody is to get what it sends; otherwise, what is left
 * of it. Parts come and go with the configuration. `subscription` undefined: it is in none for now, and nothing is sent.
 */
export function fateOfRun(
  { isOrphaned, only, parts }: Pick<SnapshotStanding, 'isOrphaned' | 'only' | 'parts'>,
  subscription: Subscription | undefined,
  accounts: readonly Watching[],
): Fate {
  if (isOrphaned) return 'cancelled'
  if (subscription === undefined) return []
  if (!takesSnapshots(subscription.channel)) return 'cancelled'
  const known = new Map(parts.map((part) => [keyOf(part), part]))
  const left = partsOf(subscription, accounts, only)
    .map((part) => known.get(keyOf(part)) ?? newProgress(part))
    .filter(({ endedAt }) => endedAt === null)
  return left.length === 0 ? 'ended' : left
}

function keyOf({ account, resource }: SnapshotPart): string {
  return `${resource} ${account}`
}
