import type { Store } from '../../src/store/ports/store.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { openStore } from '../../src/store/file/open-store.ts'

/** Opens a store by the path of a file, or by the address of a database. */
export async function openAt(address: string): Promise<Store> {
  return address.startsWith('postgres:')
    ? await openPostgresStore({ url: address, pool: 2 })
    : openStore({ path: address })
}
