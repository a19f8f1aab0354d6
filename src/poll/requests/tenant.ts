import { hash } from 'node:crypto'
import type { AccountSettings } from '../../model/account.ts'
import type { Exchange } from '../../model/exchange.ts'
import { formatInstant } from '../../model/instant.ts'
import { allowedRequests } from '../../plan/ceiling.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { AccountPause, LearnedCeiling, Spending } from '../../model/account-limits.ts'
import type { RequestBudget } from '../../plan/key-budget.ts'
import type { Committer } from '../committer.ts'
import { accountRecord, ringAccount } from '../ingest/update-record.ts'

/** What is kept of a limiter; null: nothing holds. */
export interface Restraint {
  readonly pause: AccountPause | null
  readonly ceiling: LearnedCeiling | null
}

/** A wait that people are told of. */
export interface LongWait extends Pick<AccountPause, 'reason'> {
  readonly since: number
  readonly until: number
  /** The answer that asked for it; null: it came to another process. */
  readonly exchange: Exchange | null
}

interface Kept extends Restraint {
  /** What was sent in the span, earliest first. */
  readonly spent: readonly Spending[]
  /** Whether it was said of a long wait that it began, and not that it is over. */
  readonly isSaidToWait: boolean
}

/** What was learnt and is not written yet: it goes into the store with the count of the request that is sent next. */
export interface Rider {
  /** Writes `others` with it, in one transaction, whatever becomes of what was learnt. Once. */
  write(others: readonly BatchChange[]): Promise<unknown>
}

/**
 * An account at the limiter of its key. What outlives the process (the pause, what was sent, the ceiling) is kept with each
 * account: after a restart a platform that wants to be left alone is still left alone, and the budget still holds.
 */
export interface Tenant {
  readonly budget: RequestBudget
  /** What bound the key when the last process ended; the span is the `perMs` before `now`. */
  load(span: { readonly now: number; readonly perMs: number }): Promise<Kept>
  /** Writes down that a request is about to be sent, which counts for so long, together with what its `rider` has to write. */
  count(request: { readonly at: number; readonly countForMs: number }, rider: Rider | null): Promise<void>
  /** Writes a restraint down; what is left out of it stays as it was. */
  save(restraint: Partial<Restraint>): Promise<void>
  /** Rings that a long wait has begun, unless that is said already. */
  sayWait(wait: LongWait): Promise<void>
  /** Rings that it is over, where it was said that it began. */
  sayWaitOver(exchange: Exchange): Promise<void>
}

/** An account as a tenant of its key: what outlives the process is kept in its row of the store. */
export function tenantOf(account: AccountSettings, committer: Committer): Tenant {
  const { budget, name } = account
  const of = credentialKeyOf(account)
  return {
    budget,
    load: async ({ now, perMs }) => {
      const { store } = committer
      const { ceiling, pause, spent } = await store.restraint(name, { since: now - perMs, now })
      const isSaidToWait = (await accountRecord(committer, name))?.memory.paused != null
      return { pause: keptOf(of, pause), ceiling: keptOf(of, ceiling), spent, isSaidToWait }
    },
    count: async (request, rider) => {
      const count = { ...request, amount: 1, budgetPerHour: budgetPerHour(budget) }
      if (rider === null) await committer.writeBeside(name, async (store) => store.countRequests(name, count))
      else await rider.write([{ kind: 'requests', count }])
    },
    save: async ({ pause, ceiling }) => {
      const changes: BatchChange[] = []
      if (pause !== undefined) changes.push({ kind: 'pause', pause: pause === null ? null : { ...pause, of } })
      if (ceiling !== undefined)
        changes.push({ kind: 'ceiling', ceiling: ceiling === null ? null : { ...ceiling, of } })
      await committer.commit(name, async () => ({ changes }))
    },
    sayWait: async (wait) => sayWait(committer, name, wait),
    sayWaitOver: async (exchange) => sayWaitOver(committer, name, exchange),
  }
}

async function sayWait(committer: Committer, account: string, wait: LongWait): Promise<void> {
  const { exchange, reason, since, until } = wait
  const exchanges = exchange === null ? [] : [exchange]
  const provenance = { by: 'health', resource: null, exchanges } as const
  await ringAccount(committer, { account, provenance }, (before) => {
    if (before?.memory.paused != null) return null
    const memory = { ...before?.memory, paused: { since, until } }
    return { type: 'account.paused', at: since, extras: { reason, until: formatInstant(until) }, memory }
  })
}

async function sayWaitOver(committer: Committer, account: string, exchange: Exchange): Promise<void> {
  const provenance = { by: 'health', resource: null, exchanges: [exchange] } as const
  await ringAccount(committer, { account, provenance }, (before) => {
    const paused = before?.memory.paused ?? null
    if (paused === null) return null
    const extras = { was: 'paused', down_since: formatInstant(paused.since) }
    const memory = { ...before?.memory, paused: null }
    return { type: 'account.recovered', at: exchange.answeredAt, extras, memory }
  })
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
