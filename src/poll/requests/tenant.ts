import { hash } from 'node:crypto'
import type { AccountSettings } from '../../model/account.ts'
import { allowedRequests } from '../../plan/ceiling.ts'
import type { BatchChange } from '../../store/commit-port.ts'
import type { AccountPause, LearnedCeiling, Spending } from '../../model/account-limits.ts'
import type { RequestBudget } from '../../plan/key-budget.ts'
import type { Committer } from '../committer.ts'

/** What is kept of a limiter; null: nothing holds. */
export interface Restraint {
  readonly pause: AccountPause | null
  readonly ceiling: LearnedCeiling | null
}

/**
 * An account at the limiter of its key. What outlives the process (the pause, what was sent, the ceiling) is kept with each
 * account: after a restart a platform that wants to be left alone is still left alone, and the budget still holds.
 */
export interface Tenant {
  readonly budget: RequestBudget
  /** What bound the key when the last process ended; `spent` is what was sent in the `perMs` before `now`, earliest first. */
  load(span: {
    readonly now: number
    readonly perMs: number
  }): Promise<Restraint & { readonly spent: readonly Spending[] }>
  /** Writes down that a request is about to be sent; it counts for so long. */
  count(request: { readonly at: number; readonly countForMs: number }): Promise<void>
  /** What is left out stays as it was. */
  save(restraint: Partial<Restraint>): Promise<void>
}

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
      const changes: BatchChange[] = []
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

/** Stands for the address and key that ask: whatever binds one binds every account that asks with them, and no other. */
export function credentialKeyOf({ baseUrl, apiKey }: Pick<AccountSettings, 'baseUrl' | 'apiKey'>): string {
  return hash('sha256', JSON.stringify([baseUrl, apiKey])).slice(0, 16)
}

/** What was kept for an address and key; null where it is of others. */
export function keptOf<T extends { readonly of?: string }>(credentialKey: string, kept: T | null): T | null {
  return kept?.of === undefined || kept.of === credentialKey ? kept : null
}
