import { accountEvent, type AccountEventInput } from '../../detect/account-event.ts'
import type { Detected } from '../../detect/detect-input.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { EventDraft } from '../../model/event.ts'
import type { RecordMemory, RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { ServiceEvent } from '../../model/service-event.ts'
import type { RecordWrite } from '../../store/ports/commit-port.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import type { Committer, News } from '../committer.ts'

/** What a pure function makes of a record, and what is committed with it. */
export interface Revision extends Detected, Pick<News, 'changes' | 'provenance'> {
  /** How the record is written; left out: as something that no answer showed. */
  readonly write?: Pick<RecordWrite, 'contentHash' | 'etag' | 'phase' | 'read'>
}

export interface Revised {
  readonly id: string
  /** The record as it was known; null: it was not. */
  readonly before: RecordState | null
  readonly revision: Revision
}

interface Records {
  /** The account; null: of none, as subscriptions are. */
  readonly account: string | null
  readonly resource: SubjectResource
  readonly ids: readonly string[]
}

/** Loads each record as the store knows it and has it judged, within a commit. A record that is judged null stays as it is. */
async function reviseRecords(
  store: RecordStore,
  { account, ids, resource }: Records,
  judge: (before: RecordState | null, id: string) => Promise<Revision | null>,
): Promise<readonly Revised[]> {
  if (ids.length === 0) return []
  const states = await store.records(account, resource, ids)
  const revised: Revised[] = []
  for (const id of ids) {
    const before = states.get(id) ?? null
    const revision = await judge(before, id)
    if (revision !== null) revised.push({ id, before, revision })
  }
  return revised
}

/** The write fails (`store_conflict`) where somebody else has written the record since it was loaded. */
export function writeOf({ before, revision: { state, write } }: Revised): RecordWrite {
  return { contentHash: null, ...write, state, before }
}

/**
 * The way to change one record: it is loaded, judged and committed with its version, again where somebody else wrote it
 * meanwhile. Resolves to what was committed; null where `judge` leaves it as it is.
 */
export async function updateRecord(
  committer: Committer,
  { account, id, resource }: Pick<Records, 'account' | 'resource'> & { readonly id: string },
  judge: (before: RecordState | null) => Promise<Revision | null>,
): Promise<Detected | null> {
  return committer.commit(account ?? NO_ACCOUNT, async () => {
    const [revised] = await reviseRecords(committer.store, { account, resource, ids: [id] }, judge)
    if (revised === undefined) return null
    const { write: _write, ...news } = revised.revision
    return { ...news, records: [writeOf(revised)] }
  })
}

/** The account's own record; null before its first event. */
export async function accountRecord({ store }: Committer, account: string): Promise<RecordState | null> {
  return (await store.records(account, 'account', [account])).get(account) ?? null
}

/** The next event about the account itself as part of a commit; null where `derive` returns null. */
export async function accountNews(
  store: RecordStore,
  account: string,
  derive: (before: RecordState | null) => Omit<AccountEventInput, 'account' | 'state'> | null,
): Promise<Required<Pick<News, 'records' | 'events'>> | null> {
  const key = { account, resource: 'account', ids: [account] } as const
  const [revised] = await reviseRecords(store, key, async (before) => {
    const input = derive(before)
    if (input === null) return null
    const { event, state } = accountEvent({ ...input, account, state: before })
    return { state, events: [event] }
  })
  return revised === undefined ? null : { records: [writeOf(revised)], events: revised.revision.events }
}

/** Rings an event about the account itself, with what else is committed with it; nothing where `derive` returns null. */
export async function ringAccount(
  committer: Committer,
  { account, ...rest }: Pick<News, 'changes' | 'provenance'> & { readonly account: string },
  derive: Parameters<typeof accountNews>[2],
): Promise<void> {
  await committer.commit(account, async () => {
    const news = await accountNews(committer.store, account, derive)
    return news === null ? null : { ...rest, ...news }
  })
}

/** Changes what the account's own record remembers, and rings nothing. */
export async function rememberOfAccount(
  committer: Committer,
  account: string,
  change: (memory: RecordMemory) => RecordMemory,
): Promise<void> {
  await updateRecord(committer, { account, resource: 'account', id: account }, async (before) => {
    if (before === null) return null
    const state = { ...before, memory: change(before.memory) }
    return { state, events: [], write: { contentHash: null, read: 'none' } }
  })
}

/** Rings an event about a subscription's endpoint; nothing where `derive` returns null. Resolves to the event. */
export async function ringEndpoint(
  committer: Committer,
  subscription: string,
  derive: (before: RecordState | null) => ServiceEvent | null,
): Promise<EventDraft | null> {
  const rung = await updateRecord(
    committer,
    { account: null, resource: 'subscription', id: subscription },
    async (before) => {
      const next = derive(before)
      return next === null ? null : { state: next.state, events: [next.event] }
    },
  )
  return rung?.events[0] ?? null
}
