import type { AccountPause, AccountRestraint, LearnedCeiling } from '../../model/account-limits.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { restraintOf, type RestraintRow } from './pause-rows.ts'

const FIND = new Query<RestraintRow>('SELECT pause, ceiling FROM accounts WHERE account = :account')
const SAVE_PAUSE = new Query('UPDATE accounts SET pause = :pause WHERE account = :account')
const SAVE_CEILING = new Query('UPDATE accounts SET ceiling = :ceiling WHERE account = :account')

export async function loadRestraint(tx: Pick<Transaction, 'one'>, account: string): Promise<AccountRestraint> {
  return restraintOf(await tx.one(FIND, { account }))
}

/** The account is held, as it is for `saveCeiling`. */
export async function savePause(tx: Transaction, account: string, pause: AccountPause | null): Promise<void> {
  await tx.run(SAVE_PAUSE, { account, pause: pause === null ? null : JSON.stringify(pause) })
}

export async function saveCeiling(tx: Transaction, account: string, ceiling: LearnedCeiling | null): Promise<void> {
  await tx.run(SAVE_CEILING, { account, ceiling: ceiling === null ? null : JSON.stringify(ceiling) })
}
