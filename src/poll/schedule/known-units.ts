import { watchedIn, type AccountSettings } from '../../model/account.ts'
import type { PhaseSpan } from '../../model/phase.ts'
import type { RecordState } from '../../model/record-state.ts'
import { isListed, LISTS, RECORD_OF, type RecordResource } from '../../model/resource.ts'
import { kindOf, mixOf, type Kind, type Mix } from '../../plan/change-rates.ts'
import type { Weights } from '../../plan/known-units.ts'
import { endCost, TAKE, type EndCost } from '../../plan/paging.ts'
import { phaseOf } from '../../plan/phase.ts'
import type { ReadScheduler } from '../../plan/read-scheduler.ts'
import type { ItemFacts, PageTarget } from '../../plan/target.ts'
import type { TrackedPlace, TrackedShipment, TrackedSlice } from '../../store/ports/record-port.ts'
import type { PollStore } from '../../store/ports/store.ts'
import { watchedPreparations } from '../items/created-preparations.ts'
import type { Revised } from '../ingest/update-record.ts'

/** Tracking is read for 7 days after the read that first showed its shipment finished or cancelled (guarantee D1). */
export const AFTER_CLOSED_MS = 7 * 86_400_000

export interface KnownAccount {
  readonly account: AccountSettings
  readonly store: Pick<PollStore, 'known' | 'pageUnits' | 'phasesOn' | 'records' | 'trackedShipments'>
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
  if (account.watch.order_preparations === undefined) return
  const { references } = account.watch.order_preparations
  const watched = await watchedPreparations(store, { account: account.name, references })
  const known = await store.known(account.name, 'order_preparation', watched)
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

/** What time alone moves on a page is counted anew after this, whatever its reads show. */
const KEPT_MS = 60 * 60_000

/** A row that was known before a commit and differs after it; null: it is of no kind that has phases. */
export interface MovedRow {
  readonly before: PhaseSpan | null
  readonly after: PhaseSpan | null
}

/** A page whose rows were committed. */
export interface MixedPage {
  readonly target: PageTarget
  /** The content hash of the ids of its rows. */
  readonly contentHash: string
  readonly at: number
  /** The rows that the commit revised; null: one of them was unknown, or nobody knows what the page held. */
  readonly moved: readonly MovedRow[] | null
}

/** `at`: when all rows were counted. Those that moved since count as of then, so that what is taken away is what was added. */
interface Counted extends Pick<MixedPage, 'contentHash' | 'at'> {
  readonly mix: Mix
}

/** What pages held when their rows were last counted: to look up the kinds of a hundred rows takes longer than all else that a page teaches. */
export class PageMixes {
  readonly #lists = new Map<RecordResource, Map<number, Counted>>()

  /** What is on the page, by `count` where it is not known; null: it is as it was. */
  async of({ at, contentHash, moved, target }: MixedPage, count: () => Promise<Mix>): Promise<Mix | null> {
    const { resource, skip } = target
    const pages = this.#lists.get(resource) ?? new Map<number, Counted>()
    this.#lists.set(resource, pages)
    const known = pages.get(skip)
    if (moved !== null && known?.contentHash === contentHash && Math.abs(at - known.at) < KEPT_MS) {
      const mix = mixAfter(known, moved)
      if (mix === known.mix) return null
      if (mix !== null) {
        pages.set(skip, { ...known, mix })
        return mix
      }
    }
    const mix = await count()
    pages.set(skip, { contentHash, at, mix })
    return mix
  }

  /** The list has these pages, by `skip`, and no others. */
  endList(resource: RecordResource, skips: ReadonlySet<number>): void {
    const pages = this.#lists.get(resource)
    for (const skip of pages?.keys() ?? []) if (!skips.has(skip)) pages?.delete(skip)
  }
}

/** The mix once rows have moved from kind to kind; null where a row was not counted as what it was: something else changed it. */
function mixAfter({ at, mix }: Counted, moved: readonly MovedRow[]): Mix | null {
  let after: Partial<Record<Kind, number>> | null = null
  for (const row of moved) {
    const [from, to] = [kindOf(row.before, at), kindOf(row.after, at)]
    if (from === to) continue
    after ??= { ...mix }
    const left = (after[from] ?? 0) - 1
    if (left < 0) return null
    if (left === 0) delete after[from]
    else after[from] = left
    after[to] = (after[to] ?? 0) + 1
  }
  return after ?? mix
}

/** How a row moved between phases; null: it was not known before, or is not now. */
export function movedRow(resource: RecordResource, { before, revision }: Revised): MovedRow | null {
  const { state, write } = revision
  if (before?.seen == null || state.seen === null) return null
  if (resource !== 'shipment') return { before: null, after: null }
  return { before: phaseOf(before.seen), after: write?.phase ?? phaseOf(state.seen) }
}

/** The moves where all rows are known; null: one of them is not. */
export function knownRows(rows: Iterable<MovedRow | null>): readonly MovedRow[] | null {
  const known: MovedRow[] = []
  for (const row of rows) {
    if (row === null) return null
    known.push(row)
  }
  return known
}
