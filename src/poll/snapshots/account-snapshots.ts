import type { RecordResource } from '../../model/resource.ts'
import type { SnapshotProgress, SnapshotRun } from '../../model/snapshot-run.ts'
import type { Subscription } from '../../model/subscription.ts'
import { datesOfSnapshots, routingQuery } from '../../route/route.ts'
import { judgeSlice, MOST_SENT, progressAfter, sliceLooks, sliceRoom } from '../../route/snapshot-run.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { readSnapshots } from './read-snapshots.ts'

/** For so long it is not asked again whether a baseline is complete. */
const NOT_COMPLETE_MS = 2_000

export interface SliceOrder {
  readonly run: Pick<SnapshotRun, 'subscription' | 'run'>
  readonly subscription: Subscription
  readonly progress: SnapshotProgress
  /** Whether rows are made however many wait: nobody else is to go first. */
  readonly isForced: boolean
}

/** Sends the records of one account, for as long as the account is polled here. */
export class AccountSnapshots {
  readonly #context: AccountContext
  readonly #complete = new Set<RecordResource>()
  /** Baselines that are taken for incomplete until then, by the steady clock. */
  readonly #incomplete = new Map<RecordResource, number>()
  #isClosed = false
  #slice: Promise<unknown> = Promise.resolve()

  constructor(context: AccountContext) {
    this.#context = context
  }

  get account(): string {
    return this.#context.account.name
  }

  /** Whether the baseline of what reads the records is complete: before that they are not all known. */
  async isReady(resource: RecordResource): Promise<boolean> {
    if (this.#complete.has(resource)) return true
    const { account, clock, committer } = this.#context
    const now = clock.monotonic()
    if (now < (this.#incomplete.get(resource) ?? 0)) return false
    const isComplete = (await committer.store.listState(account.name, resource)).baselinedAt !== null
    if (isComplete) this.#complete.add(resource)
    else this.#incomplete.set(resource, now + NOT_COMPLETE_MS)
    return isComplete
  }

  /**
   * Looks at the next records of a part and commits what is sent of them. Resolves to how far the part is; null: others go first, nobody may
   * be sent anything now, or the account is not polled here any more. Throws `store_conflict` where the run is elsewhere than `progress`.
   */
  async send(order: SliceOrder): Promise<SnapshotProgress | null> {
    if (this.#isClosed) return null
    const slice = this.#send(order)
    this.#slice = slice.catch(() => undefined)
    return await slice
  }

  async #send({ isForced, progress, run, subscription }: SliceOrder): Promise<SnapshotProgress | null> {
    const { store } = this.#context.committer
    const { account, after, resource } = progress
    const most = sliceLooks(subscription, progress, MOST_SENT)
    const asked = { account, resource, subscription: subscription.name, after, most }
    const { ids, isOpen, ready } = await store.snapshotSlice(asked)
    const free = isForced ? MOST_SENT : sliceRoom(subscription, ready)
    const room = isOpen ? free : 0
    if (room === 0) return null
    const looked = ids.slice(0, sliceLooks(subscription, progress, room))
    const isLast = looked.length === ids.length && ids.length < most
    const chosen = { run, progress, subscription, ids: looked, isLast, room }
    let sent: SnapshotProgress | null = null
    await this.#context.committer.commit(account, async () => {
      const { moved, news } = await this.#newsOf(chosen)
      sent = moved
      return news
    })
    return sent
  }

  /** The records are read in the turn of the commit: nothing that changes them comes between. */
  async #newsOf({
    isLast,
    progress,
    room,
    run,
    subscription,
    ...chosen
  }: ChosenSlice): Promise<{ moved: SnapshotProgress; news: News }> {
    const { account, clock, committer, publicUrl } = this.#context
    const { resource } = progress
    const at = clock.now()
    const of = { subscription: run.subscription, run: run.run }
    const how = { of, timeZone: account.timeZone, publicUrl: publicUrl?.() ?? null, at }
    const snapshots = await readSnapshots(committer.store, { account: account.name, resource, ids: chosen.ids, ...how })
    const { failures, leftOut, looked, sent } = judgeSlice(subscription, snapshots, room)
    const slice = { ids: chosen.ids.slice(0, looked), isLast: isLast && looked === chosen.ids.length }
    const moved = progressAfter(progress, { ...slice, sent: sent.length, leftOut, at })
    const query = subscription.minShiftMs === null ? null : routingQuery(sent, [subscription])
    const told = query === null ? null : await committer.store.routingState(account.name, query)
    return {
      moved,
      news: {
        addressed: sent.map((event) => ({ event, subscription: subscription.name })),
        failures,
        dates: told === null ? [] : datesOfSnapshots(subscription, sent, told),
        changes: [{ kind: 'snapshot', ...of, before: progress, after: moved }],
      },
    }
  }

  /** Nothing is sent from when `signal` aborts on; resolves once nothing is under way. */
  async during(signal: AbortSignal): Promise<void> {
    this.#isClosed = signal.aborted
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#isClosed = true
    await this.#slice
  }
}

interface ChosenSlice extends Pick<SliceOrder, 'progress' | 'run' | 'subscription'> {
  readonly ids: readonly string[]
  /** Whether no record follows them. */
  readonly isLast: boolean
  /** How many are sent at most. */
  readonly room: number
}
