import { isDeepStrictEqual } from 'node:util'
import { formatInstant } from '../../model/instant.ts'
import type { IncompletePasses, ListGaps } from '../../model/list-gaps.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { accountNews } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { PassReport } from './list-pass.ts'

/** How many passes in a row that are not complete ring. */
const PASSES_UNTIL_INCOMPLETE = 3

/**
 * Remembers what a pass left out of its list, and rings once where the list has not been read whole for so many passes, and once
 * where it is read whole again (guarantee D9). A pass that was cut short says nothing of its list where
 * nothing of the account has answered since the last one was.
 */
export async function notePassEnd(context: ListContext, report: PassReport, gaps: ListGaps): Promise<void> {
  const { account, clock, committer, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const before = (await store.listState(account.name, resource)).gaps
  const incomplete = afterPass(context, report, before.incomplete)
  const after = { ...gaps, incomplete }
  if (isDeepStrictEqual(before, after)) return
  await committer.commit(account.name, async () => {
    const state = { ...(await store.listState(account.name, resource)), gaps: after }
    const changes = [{ kind: 'list', resource, state }] as const
    const event = eventOf(before.incomplete, incomplete)
    if (event === null) return { changes }
    const extras = { ...event.extras, resource: watch }
    const news = await accountNews(store, account.name, () => ({ ...event, at: clock.now(), extras }))
    const provenance = { by: 'health', resource, exchanges: [] } as const
    return news === null ? { changes } : { changes, ...news, provenance }
  })
}

function afterPass(
  { accountClient, clock }: ListContext,
  { isCutShort, unread }: PassReport,
  before: IncompletePasses | null,
): IncompletePasses | null {
  if (unread === null) return null
  if (!unread.isOfList) return before
  const at = clock.now()
  const isItsOwn = !isCutShort || accountClient.answeredAt > (before?.at ?? Number.NEGATIVE_INFINITY)
  if (!isItsOwn) return before
  const passes = (before?.passes ?? 0) + 1
  const hasRung = (before?.hasRung ?? false) || passes >= PASSES_UNTIL_INCOMPLETE
  const { reason, skip } = unread
  return { passes, at, since: before?.since ?? at, skip, reason, hasRung }
}

function eventOf(before: IncompletePasses | null, after: IncompletePasses | null) {
  if (after?.hasRung === true && before?.hasRung !== true) {
    return { type: 'account.list_incomplete', extras: { skip: after.skip, reason: after.reason } } as const
  }
  if (after !== null || before?.hasRung !== true) return null
  return {
    type: 'account.recovered',
    extras: { was: 'list_incomplete', down_since: formatInstant(before.since) },
  } as const
}
