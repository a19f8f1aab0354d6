import { auditAfter, staleExtras, unaudited, type AuditSample, type AuditStep } from '../../ledger/audits.ts'
import type { Exchange } from '../../model/exchange.ts'
import { formatInstant } from '../../model/instant.ts'
import { watchedAs, type ListedResource } from '../../model/resource.ts'
import type { PollStore } from '../../store/ports/store.ts'
import type { News } from '../committer.ts'
import type { PollContext } from '../poll-context.ts'
import { accountNews } from '../ingest/update-record.ts'

interface NewSamples {
  readonly account: string
  readonly resource: ListedResource
  readonly samples: readonly AuditSample[]
  readonly at: number
  /** The fetch that showed it. */
  readonly exchanges: readonly Exchange[]
}

/** What is committed of samples of a list, beside what is known of it by then: their sum, and the event that follows. */
export async function auditNews(
  store: PollStore,
  { account, at, exchanges, resource, samples }: NewSamples,
): Promise<(AuditStep & News) | null> {
  const { audit: before } = await store.listState(account, resource)
  const [first, ...others] = samples
  if (first === undefined) return null
  const step = others.reduce<AuditStep>(
    (last, sample) => {
      const next = auditAfter(last.audit, sample)
      return { audit: next.audit, rings: next.rings ?? last.rings }
    },
    auditAfter(before, first),
  )
  const changes = [{ kind: 'audit', resource, audit: step.audit }] as const
  const event = eventOf(step, { watch: watchedAs(resource), downSince: before?.episode?.since ?? at, at })
  if (event === null) return { ...step, changes }
  const news = await accountNews(store, account, () => ({ ...event, at }))
  return { ...step, changes, ...news, provenance: { by: 'health', resource, exchanges } }
}

function eventOf(
  { audit, rings }: AuditStep,
  { at, downSince, watch }: { readonly at: number; readonly downSince: number; readonly watch: string },
) {
  if (rings === null) return null
  if (rings === 'stale')
    return { type: 'account.list_stale', extras: { resource: watch, ...staleExtras(audit, at) } } as const
  const extras = { resource: watch, was: 'list_stale', down_since: formatInstant(downSince) }
  return { type: 'account.recovered', extras } as const
}

/** Ends what goes on of a list that is audited no more. */
export async function endUnaudited(
  { account, clock, committer }: Pick<PollContext, 'account' | 'clock' | 'committer'>,
  resource: ListedResource,
): Promise<void> {
  const { name } = account
  const { audit } = await committer.store.listState(name, resource)
  const ended = unaudited(audit, clock.now())
  if (ended === null) return
  await committer.commit(name, async () => ({ changes: [{ kind: 'audit', resource, audit: ended }] }))
}
