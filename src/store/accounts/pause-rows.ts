import type { AccountRestraint } from '../../model/account-limits.ts'

/** What an account's row keeps as JSON; null: nothing holds the account back. */
export interface RestraintRow {
  readonly pause: string | null
  readonly ceiling: string | null
}

/** `undefined`: the account has no row yet. */
export function restraintOf(row: RestraintRow | undefined): AccountRestraint {
  const { ceiling = null, pause = null } = row ?? {}
  return {
    pause: pause === null ? null : JSON.parse(pause),
    ceiling: ceiling === null ? null : JSON.parse(ceiling),
  }
}
