import { driftedPaths } from '../../detect/drift/drifted-paths.ts'
import { ignoredPaths } from '../../model/account.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import { betweenSteps } from '../ingest/ingest.ts'
import { provenancePass } from '../ingest/provenance.ts'
import { ringAccount } from '../ingest/update-record.ts'
import type { ListContext } from '../poll-context.ts'
import type { PageOfRows } from './page-of-rows.ts'

/** The fields that a page shows to be new to the platform's interface. */
export function driftOf(context: ListContext, absorbed: readonly string[], page: PageOfRows): readonly string[] {
  const { account, fields, watch } = context
  const resource = RECORD_OF[watch]
  const records = (areKnown: boolean): readonly JsonObject[] => {
    const found: JsonObject[] = []
    for (const row of page.records.values()) if (row.isKnown === areKnown) found.push(row.record)
    return found
  }
  return driftedPaths({
    resource,
    news: records(false),
    known: () => records(true),
    rows: page.records.size + page.rejectedIds.length,
    rowsBefore: page.before?.ids.size ?? null,
    fields: fields[resource],
    ignore: ignoredPaths(account, resource),
    absorbed,
  })
}

/**
 * Absorbs the fields that a page shows to be new to the platform's interface and reports each once, before the page itself
 * is compared: the page that shows a drift is silent about it already. Returns the state of the list with them in it.
 */
export async function absorbDrift(context: ListContext, list: ListState, page: PageOfRows): Promise<ListState> {
  const { account, clock, committer, watch } = context
  const resource = RECORD_OF[watch]
  await betweenSteps(page.exchange)
  const paths = driftOf(context, list.absorbed, page)
  let state = list
  for (const path of paths) {
    state = { ...state, absorbed: [...state.absorbed, path] }
    const drift = { type: 'account.schema_drift', at: clock.now(), extras: { resource: watch, path } } as const
    const provenance = { by: 'page', resource, exchanges: [page.exchange], pass: provenancePass(state) } as const
    const changes = [{ kind: 'list', resource, state }] as const
    await ringAccount(committer, { account: account.name, changes, provenance }, () => drift)
  }
  return state
}
