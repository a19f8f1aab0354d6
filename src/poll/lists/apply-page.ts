import { isFresh } from '../../detect/read-order.ts'
import type { ReadReason, Provenance } from '../../model/provenance.ts'
import { RECORD_OF, type RecordResource } from '../../model/resource.ts'
import type { ListState } from '../../store/list-state.ts'
import type { StoredPage } from '../../store/page-port.ts'
import type { Change } from '../../store/ports.ts'
import { ingest, type Ingested, type Sorted, type Standing } from '../ingest/ingest.ts'
import { readOf, provenancePass } from '../ingest/provenance.ts'
import { ownersOf, summaryOf } from '../ingest/record-facts.ts'
import type { ListContext } from '../poll-context.ts'
import { knownRows, type PageOfRows } from './page-of-rows.ts'

export interface PageReading {
  readonly why: ReadReason
  /** Whether a pass read it; otherwise it counts for none: it may add and change records, and proves nothing else. */
  readonly isOfPass: boolean
  /** The state of the list with this page in it. */
  readonly list: ListState
  /** When the last complete pass started, which did not show what is new in this one. */
  readonly absentAt: number | null
}

/** Compares a page with what is known and commits the difference; tells the plan and whoever looks for churn. */
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
  await churn.notePage({ round: reading.list.pass, reads: ingested.compared, events: ingested.events })
  const emitted = ingested.revised.filter(({ revision }) => churn.haveNews(revision.events))
  if (place !== null) await plan.pageShown(RECORD_OF[watch], { ...place, at: exchange.sentAt, emitted })
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
  const isSilent = list.baselinedAt === null && account.firstPoll === 'baseline'
  return {
    known: await knownRows(store, page, { account: account.name, resource, stored }),
    absorbed: list.absorbed,
    circumstances: async (ids) => {
      const records = ids.map((id) => [id, page.records.get(id)?.record ?? {}] as const)
      const owners = resource === 'shipment' ? new Map() : await ownersOf(store, account.name, records)
      return (id) => ({ mode: isSilent ? 'silent' : 'ring', shipment: summaryOf(owners.get(id)) })
    },
    changes: (sorted) => changesOf(context, page, { ...reading, list, stored, sorted }),
  }
}

/** null: it counts for no pass, and a later answer to the same page was applied already. */
function changesOf(
  { watch }: ListContext,
  page: PageOfRows,
  { isOfPass, list, sorted, stored }: PageReading & { readonly stored: StoredPage | null; readonly sorted: Sorted },
): readonly Change[] | null {
  const resource = RECORD_OF[watch]
  const shown = shownPage(page, { resource, isOfPass, list, stored, sorted })
  if (!isOfPass) return shown.length === 0 ? null : shown
  const met = [...sorted.overtaken, ...page.rejectedIds]
  return [...shown, { kind: 'met', resource, ids: met }, { kind: 'list', resource, state: list }]
}

/** Nothing where a later answer to the same page was applied already. */
function shownPage(
  { exchange, place, rejectedIds }: PageOfRows,
  {
    isOfPass,
    list,
    resource,
    sorted,
    stored,
  }: Pick<PageReading, 'isOfPass' | 'list'> & {
    readonly resource: RecordResource
    readonly stored: StoredPage | null
    readonly sorted: Sorted
  },
): readonly Change[] {
  const read = readOf(exchange)
  if (place === null || !isFresh(read, stored?.lastRead)) return []
  const isWhole = sorted.overtaken.length === 0 && rejectedIds.length === 0
  const validator = isWhole ? place.validator : null
  const pass = isOfPass ? list.pass : null
  const page = {
    ...place,
    kind: 'shown',
    resource,
    read,
    pass,
    current: list.pass,
    validator,
    ids: sorted.current,
  } as const
  return [{ kind: 'page', page }]
}
