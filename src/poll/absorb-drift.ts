import { accountEvent } from '../detect/account-event.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { ListState } from '../store/list-state.ts'
import { driftOf } from './drift-of.ts'
import { betweenSteps } from './large-answer.ts'
import type { ListOptions } from './list-options.ts'
import type { PageOfRows } from './page-of-rows.ts'
import { provenancePass } from './provenance-pass.ts'

/**
 * Absorbs the fields that a page shows to be new to the platform's interface and reports each once, before the page itself
 * is compared: the page that shows a drift is silent about it already. Returns the state of the list with them in it.
 */
export async function absorbDrift(options: ListOptions, list: ListState, page: PageOfRows): Promise<ListState> {
  const { account, clock, committer, watch } = options
  const resource = RECORD_OF[watch]
  await betweenSteps(page.exchange)
  const paths = driftOf(options, list.absorbed, page)
  let state = list
  for (const path of paths) {
    state = { ...state, absorbed: [...state.absorbed, path] }
    const drift = { type: 'account.schema_drift', at: clock.now(), extras: { resource: watch, path } } as const
    await committer.commitAccountEvent({
      account: account.name,
      derive: (before) => accountEvent({ account: account.name, state: before, ...drift }),
      list: { resource, state },
      provenance: { by: 'page', resource, exchanges: [page.exchange], pass: provenancePass(state) },
    })
  }
  return state
}
