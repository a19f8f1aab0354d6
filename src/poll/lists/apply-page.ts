import { setImmediate as nextTurn } from 'node:timers/promises'
import { isFresh } from '../../detect/read-order.ts'
import type { ReadReason, Provenance } from '../../model/provenance.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import type { RecordState } from '../../model/record-state.ts'
import { RECORD_OF, type RecordResource } from '../../model/resource.ts'
import { isCatchingUp } from '../../plan/catching-up.ts'
import type { ListState, StoredPage } from '../../store/ports/list-port.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import { ingest, type Ingested, type Sorted, type Standing } from '../ingest/ingest.ts'
import { readOf, provenancePass } from '../ingest/provenance.ts'
import { ownersOf, summaryOf } from '../ingest/record-facts.ts'
import type { ListContext } from '../poll-context.ts'
import { knownRows, type PageOfRows } from './page-of-rows.ts'

export interface PageReading {
  readonly why: ReadReason
  /** Whether a pass read it. A page that counts for no pass may add and change records, and proves nothing else. */
  readonly isOfPass: boolean
  /** The state of the list with this page in it. */
  readonly list: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
}

interface JudgedPage extends Pick<PageReading, 'isOfPass' | 'list'> {
  readonly resource: RecordResource
  /** The page as the store has it now; null: it was never read. */
  readonly stored: StoredPage | null
}

/** Compares a page with what is known and commits the difference. The plan and the search for churn learn from it. */
export async function applyPage(context: ListContext, page: PageOfRows, reading: PageReading): Promise<Ingested> {
  const { churn, plan, watch } = context
  const { exchange, place, records } = page
  const ingested = await ingest(context, {
    resource: RECORD_OF[watch],
    exchange,
    readings: records,
    absentAt: reading.absentAt,
    provenance: provenanceOf(context, page, reading),
    load: async () => standing(context, page, reading),
  })
  // Whoever sends them begins first: neither side waits for anything here, so their work would be done in turns.
  if (ingested.events.length > 0) await nextTurn()
  await churn.notePage({ round: reading.list.pass, reads: ingested.compared, events: ingested.events })
  const { revised } = ingested
  const emitted = revised.filter(({ revision }) => churn.haveNews(revision.events))
  if (place !== null) await plan.pageShown(RECORD_OF[watch], { ...place, at: exchange.sentAt, revised, emitted })
  return ingested
}

function provenanceOf(
  { account, watch }: ListContext,
  { exchange }: PageOfRows,
  { isOfPass, list, why }: PageReading,
): Provenance {
  const pass = isOfPass ? { pass: provenancePass(list) } : {}
  return { by: 'page', resource: RECORD_OF[watch], exchanges: [exchange], why, ...pass, timeZone: account.timeZone }
}

async function standing(context: ListContext, page: PageOfRows, reading: PageReading): Promise<Standing> {
  const { account, committer, watch } = context
  const { store } = committer
  const resource = RECORD_OF[watch]
  const list = reading.isOfPass ? reading.list : await store.listState(account.name, resource)
  const stored = page.place === null ? null : await store.page(account.name, resource, page.place.skip)
  const isBaselining = account.firstPoll === 'baseline'
  const isSilent = list.baselinedAt === null && isBaselining
  const catchesUp = isCatchingUp(list, context.clock.now())
  return {
    known: await knownRows(store, page, { account: account.name, resource, stored }),
    absorbed: list.absorbed,
    circumstances: async (ids) => {
      const records = ids.map((id) => [id, page.records.get(id)?.record ?? {}] as const)
      const owners = resource === 'shipment' ? new Map() : await ownersOf(store, account.name, records)
      const isLearnt = (id: string, before: RecordState | null): boolean =>
        before === null && isBaselining && (catchesUp || page.leftOut.has(idAtPlatform(resource, id)))
      // What shows now was hidden by the rules that the page was judged by before.
      const isSilentPage = isSilent || page.wasJudged
      return (id, before) => ({
        mode: isSilentPage || isLearnt(id, before) ? 'silent' : 'ring',
        shipment: summaryOf(owners.get(id)),
      })
    },
    changes: (sorted) => changesOf(page, sorted, { isOfPass: reading.isOfPass, list, resource, stored }),
  }
}

/** What a page changes of its list; null: it counts for no pass, and a later answer to the same page was applied already. */
function changesOf(
  { exchange, place, rejectedIds }: PageOfRows,
  sorted: Sorted,
  { isOfPass, list, resource, stored }: JudgedPage,
): readonly BatchChange[] | null {
  const read = readOf(exchange)
  const unseen = [...sorted.overtaken, ...sorted.rejected, ...rejectedIds]
  const shown: BatchChange[] = []
  if (place !== null && isFresh(read, stored?.lastRead)) {
    const pass = isOfPass ? list.pass : null
    const validator = unseen.length === 0 ? place.validator : null
    const by = { resource, read, pass, current: list.pass, validator, ids: sorted.current }
    shown.push({ kind: 'page', page: { ...place, kind: 'shown', ...by } })
  }
  if (isOfPass) return [...shown, { kind: 'met', resource, ids: unseen }, { kind: 'list', resource, state: list }]
  return shown.length === 0 ? null : shown
}
