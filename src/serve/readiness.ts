/** Whether the daemon does its work (guarantee A1). */
export interface Readiness {
  readonly ready: boolean
  readonly store: { readonly ok: boolean; readonly problem: string | null }
  readonly accounts: Readonly<Record<string, AccountReadiness>>
}

interface AccountReadiness {
  readonly ok: boolean
  /** ISO date-time of the last successful answer; null: none since the start. */
  readonly last_answer_at: string | null
}

export interface WatchedAccount {
  readonly name: string
  /** The smallest `every` of what the account watches. */
  readonly smallestEveryMs: number
  readonly lastAnswerAt: number | null
}

const AT_LEAST_MS = 5 * 60_000

export function judgeReadiness(
  accounts: readonly WatchedAccount[],
  storeProblem: string | null,
  now: number,
): Readiness {
  const judged = accounts.map((account) => [account.name, judgeAccount(account, now)] as const)
  return {
    ready: storeProblem === null && judged.every(([, { ok }]) => ok),
    store: { ok: storeProblem === null, problem: storeProblem },
    accounts: Object.fromEntries(judged),
  }
}

function judgeAccount(account: WatchedAccount, now: number): AccountReadiness {
  const { lastAnswerAt, smallestEveryMs } = account
  const ok = lastAnswerAt !== null && now - lastAnswerAt <= Math.max(3 * smallestEveryMs, AT_LEAST_MS)
  return { ok, last_answer_at: lastAnswerAt === null ? null : new Date(lastAnswerAt).toISOString() }
}
