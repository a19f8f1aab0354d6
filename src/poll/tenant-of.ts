import type { AccountSettings } from '../model/account.ts'
import { askerOf } from './asker-of.ts'
import type { Committer } from './committer.ts'
import type { Tenant } from './limiter.ts'

/** An account as a tenant of its key: what outlives the process is kept in its row of the store. */
export function tenantOf(account: AccountSettings, committer: Committer): Tenant {
  const { budget, name } = account
  const of = askerOf(account)
  /** A platform at another address, or another key, was never asked to be left alone. */
  const own = <T extends { readonly of?: string }>(kept: T | null): T | null =>
    kept === null || (kept.of ?? of) === of ? kept : null
  return {
    budget,
    load: async ({ now, perMs }) => {
      const { store } = committer
      const [pause, ceiling] = [await store.pause(name), await store.ceiling(name)]
      const spent = await store.spent(name, { since: now - perMs, now })
      return { pause: own(pause), ceiling: own(ceiling), spent }
    },
    save: async ({ pause, ceiling }) => {
      const told = {
        ...(pause === undefined ? {} : { pause: pause === null ? null : { ...pause, of } }),
        ...(ceiling === undefined ? {} : { ceiling: ceiling === null ? null : { ...ceiling, of } }),
      }
      await committer.commit(async () => ({ account: name, records: [], events: [], ...told }))
    },
  }
}
