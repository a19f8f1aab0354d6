import type { AccountSettings } from '../model/account.ts'
import { formatInstant } from '../model/instant.ts'
import { LISTS, RECORD_OF } from '../model/resource.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'

interface Learning {
  /** When the store was begun in the place of one that is gone; null: it was not. */
  readonly begunAnewAt?: number | null
  readonly settings: readonly Pick<AccountSettings, 'name' | 'watch'>[] | null
  readonly accounts: readonly AccountOverview[]
}

/** What needs a person until all is learnt again; nothing that changed in between rings. */
export function begunAnew({ accounts, begunAnewAt = null, settings }: Learning) {
  const isLearnt = ({ name, watch }: Pick<AccountSettings, 'name' | 'watch'>): boolean => {
    const lists = accounts.find(({ account }) => account === name)?.lists ?? []
    const learnt = new Set(lists.filter(({ baselinedAt }) => baselinedAt !== null).map(({ resource }) => resource))
    return LISTS.every((each) => !(each in watch) || learnt.has(RECORD_OF[each]))
  }
  if (begunAnewAt === null || (settings ?? []).every(isLearnt)) return []
  const since = formatInstant(begunAnewAt)
  const what = `The store was deleted or moved away, and a new one was begun at ${since}: all is learnt again, in silence.`
  const remedy = 'Stop Shipbell and put the store back, or restore a copy of it, unless it was meant to go.'
  return [{ kind: 'begun_anew', urgent: true, what, remedy, page: '/system' }] as const
}
