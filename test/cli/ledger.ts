import path from 'node:path'
import { openStore } from '../../src/store/file/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { putEmptyStore } from '../support/empty-store.ts'

export interface Ledger {
  /** A folder with `shipbell.yaml`, whose store `fill` has filled. */
  readonly cwd: string
  readonly store: () => Store
}

/** Needs no variable: `KEY` is not set, because commands on the store need no secret. */
export const CONFIGURATION = `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}" }
subscriptions:
  erp: { url: "http://127.0.0.1:1/hooks", secret: ${SECRET}, events: ["*"] }
delivery: { allow_networks: [127.0.0.0/8], retry: [1h] }
http: false
`

export async function ledger(fill: (store: Store) => Promise<void>): Promise<Ledger> {
  const cwd = scratchFolder({ 'shipbell.yaml': CONFIGURATION })
  const file = path.join(cwd, 'shipbell.db')
  putEmptyStore(file)
  await using store = openStore({ path: file, readonly: false })
  await fill(store)
  return { cwd, store: () => openStore({ path: file, readonly: false }) }
}
