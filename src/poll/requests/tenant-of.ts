import type { AccountSettings } from '../../model/account.ts'
import { allowedRequests } from '../../plan/ceiling.ts'
import { credentialKeyOf, keptOf } from './credential-key.ts'
import type { Change } from '../../store/ports.ts'
import type { Committer } from '../committer.ts'
import type { Tenant } from './limiter.ts'

/** An account as a tenant of its key: what outlives the process is kept in its row of the store. */
export function tenantOf(account: AccountSettings, committer: Committer): Tenant {
  const { budget, name } = account
  const of = credentialKeyOf(account)
  return {
    budget,
    load: async ({ now, perMs }) => {
      const { store } = committer
      const [pause, ceiling] = [await store.pause(name), await store.ceiling(name)]
      const spent = await store.spent(name, { since: now - perMs, now })
      return { pause: keptOf(of, pause), ceiling: keptOf(of, ceiling), spent }
    },
    count: async (request) =>
      committer.store.countRequests(name, { ...request, amount: 1, budgetPerHour: budgetPerHour(budget) }),
    save: async ({ pause, ceiling }) => {
      const changes: Change[] = []
      if (pause !== undefined) changes.push({ kind: 'pause', pause: pause === null ? null : { ...pause, of } })
      if (ceiling !== undefined)
        changes.push({ kind: 'ceiling', ceiling: ceiling === null ? null : { ...ceiling, of } })
      await committer.commit(name, async () => ({ changes }))
    },
  }
}

function budgetPerHour(budget: AccountSettings['budget']): number {
  return Math.round((allowedRequests(budget, 1) * 3_600_000) / budget.perMs)
}
