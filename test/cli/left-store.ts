import path from 'node:path'
import { openStore } from '../../src/store/file/open-store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import type { Workplace } from '../support/shipbell.ts'

export const EMPTY = 'accounts: {}\nhttp: false\n'

/** As a daemon that has ended leaves it, with its lock. */
export function leftStore({ folder }: Workplace): string {
  const store = path.join(folder, 'shipbell.db')
  using _ = lockStore(store, { pid: process.pid, command: 'once', since: '2026-11-21T08:00:00.000Z', host: 'here' })
  void openStore({ path: store, locked: true })[Symbol.asyncDispose]()
  return store
}
