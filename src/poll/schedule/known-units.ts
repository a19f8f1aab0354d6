import { watchedIn, type AccountSettings } from '../../model/account.ts'
import { isListed, LISTS, RECORD_OF, type RecordResource } from '../../model/resource.ts'
import { kindOf, mixOf, type Mix } from '../../plan/change-rates.ts'
import type { Weights } from '../../plan/known-units.ts'
import type { ReadScheduler } from '../../plan/read-scheduler.ts'
import { endCost, TAKE, type EndCost } from '../../plan/paging.ts'
import type { PageTarget, ItemFacts } from '../../plan/target.ts'
import type { PollStore } from '../../store/ports/store.ts'
import type { TrackedPlace, TrackedShipment, TrackedSlice } from '../../store/ports/record-port.ts'
import type { RecordState } from '../../model/record-state.ts'
import { phaseOf } from '../../plan/phase.ts'

/** Tracking is read for 7 days after the read that first showed its shipment finished or cancelled (guarantee D1). */
export const AFTER_CLOSED_MS = 7 * 86_400_000

export interface KnownAccount {
  readonly account: AccountSettings
  readonly store: Pick<PollStore, 'known' | 'pageUnits' | 'phasesOn' | 'trackedShipments'>
  readonly now: number
  /** Called between small steps: there may be tens of thousands of units. Left out: nobody waits. */
  readonly letOthers?: (() => Promise<void>) | undefined
}

/** The resources whose records pages hold. */
export const LISTED = LISTS.map((list) => RECORD_OF[list])

/** What the units are given to. */
export type Noting = Pick<ReadScheduler, 'recalledMix' | 'pageKnown' | 'itemKnown'>

/** Gives a scheduler all units of an account that were read before and still are, after it recalled what was learnt. */
export async function noteKnownUnits(scheduler: Noting, known: KnownAccount): Promise<void> {
  const watched = new Set<RecordResource>(watchedIn(known.account.watch).map(([name]) => RECORD_OF[name]))
  for (const resource of LISTED) if (watched.has(resource)) await notePages(scheduler, resource, known)
  await noteTrackings(scheduler, known)
  await notePreparations(scheduler, known)
}

/** What a page holds, and that new records may appear on it. */
export async function mixOfPage(
  { account, store }: Pick<KnownAccount, 'account' | 'store'>,
  { resource, skip }: PageTarget,
  { at, rows }: { readonly at: number; readonly rows: number },
): Promise<Mix> {
  const phases = await store.phasesOn(account.name, resource, skip)
  const ends = skip === 0 || rows < TAKE ? { arrival: 1 } : {}
  return { ...mixOf(phases.map((phase) => kindOf(phase, at))), ...ends }
}

/** What showing the end of a list takes, as far as a store knows; nothing for what is no list. */
export async function knownEndCost(
  { account, store }: { readonly account: AccountSettings; readonly store: Pick<PollStore, 'listState' | 'pageUnits'> },
  resource: RecordResource,
): Promise<EndCost> {
  if (!isListed(resource)) return 'none'
  const pages = await store.pageUnits(account.name, resource)
  const { largestPage } = await store.listState(account.name, resource)
  return endCost(
    pages.map(({ rows }) => rows),
    largestPage,
  )
}

export function weightsOf({ watch }: AccountSettings): Weights {
  return Object.fromEntries(watchedIn(watch).map(([name, { weight = 1 }]) => [RECORD_OF[name], weight]))
}

async function notePages(scheduler: Noting, resource: RecordResource, known: KnownAccount): Promise<void> {
  const pages = await known.store.pageUnits(known.account.name, resource)
  for (const { skip, rows, lastSentAt } of pages.toSorted((one, other) => one.lastSentAt - other.lastSentAt)) {
    const target = { kind: 'page', resource, skip } as const
    const mix = scheduler.recalledMix(target) ?? (await mixOfPage(known, target, { rows, at: lastSentAt }))
    scheduler.pageKnown(target, { readAt: lastSentAt, mix })
    await known.letOthers?.()
  }
}

async function noteTrackings(scheduler: Noting, known: KnownAccount): Promise<void> {
  if (known.account.watch.tracking === undefined) return
  const read: (TrackedShipment & { readonly lastSentAt: number })[] = []
  for await (const shipments of trackedShipments(known.account.name, known))
    for (const shipment of shipments) if (wasRead(shipment)) read.push(shipment)
  read.sort((one, other) => one.lastSentAt - other.lastSentAt)
  for (const { shipmentId, lastSentAt, closedAt, phase } of read) {
    scheduler.itemKnown(factsInPhase({ id: shipmentId, closedAt, phase }), lastSentAt)
    await known.letOthers?.()
  }
}

function wasRead(shipment: TrackedShipment): shipment is TrackedShipment & { readonly lastSentAt: number } {
  return shipment.lastSentAt !== null
}

/** The shipments of an account whose tracking is read, slice by slice. */
export async function* trackedShipments(
  account: string,
  {
    letOthers,
    now,
    store,
  }: Pick<KnownAccount, 'letOthers' | 'now'> & { readonly store: Pick<PollStore, 'trackedShipments'> },
): AsyncGenerator<readonly TrackedShipment[]> {
  let after: TrackedPlace | null = null
  do {
    const slice: TrackedSlice = await store.trackedShipments(account, { closedAfter: now - AFTER_CLOSED_MS, after })
    yield slice.shipments
    after = slice.after
    await letOthers?.()
  } while (after !== null)
}

async function notePreparations(scheduler: Noting, { account, store }: KnownAccount): Promise<void> {
  const references = account.watch.order_preparations?.references ?? []
  const known = await store.known(account.name, 'order_preparation', references)
  const inOrder = [...known].toSorted(([, one], [, other]) => one.lastRead.sentAt - other.lastRead.sentAt)
  for (const [id, { lastRead }] of inOrder) {
    const target = { kind: 'item', resource: 'order_preparation', id } as const
    scheduler.itemKnown({ target, phase: null, endsAt: null }, lastRead.sentAt)
  }
}

/** What a shipment says of how often its tracking changes, and until when it is read. */
export function trackingFacts({ id, seen, closedAt }: Pick<RecordState, 'id' | 'seen' | 'closedAt'>): ItemFacts {
  return factsInPhase({ id, closedAt, phase: seen === null ? null : phaseOf(seen) })
}

/** What is known of the tracking of a shipment whose phase is known. */
function factsInPhase({
  id,
  closedAt,
  phase,
}: Pick<RecordState, 'id' | 'closedAt'> & Pick<ItemFacts, 'phase'>): ItemFacts {
  return {
    target: { kind: 'item', resource: 'tracking', id },
    phase,
    endsAt: closedAt === null ? null : closedAt + AFTER_CLOSED_MS,
  }
}
