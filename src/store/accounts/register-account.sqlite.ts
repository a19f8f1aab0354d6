import type { Connection } from '../file/connection.ts'

const REGISTER = 'INSERT INTO accounts (account) VALUES (?) ON CONFLICT DO NOTHING'

/** Makes sure that an account has the row that its others refer to. Asks the store once for each account of a connection. */
export function registerAccount(db: Connection, account: string): void {
  db.once(REGISTER, account)
}
