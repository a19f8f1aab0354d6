import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'

/** A store in a folder of its own, and the handle that the present process has of it. */
export class StoreFile implements AsyncDisposable {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'shipbell-store-'))
  readonly path = path.join(this.folder, 'shipbell.db')
  #store: Store

  constructor() {
    writeFileSync(this.path, emptyStore(), { mode: 0o600 })
    this.#store = openStore({ path: this.path })
  }

  get store(): Store {
    return this.#store
  }

  /** With a new handle, as a new process would. */
  async reopen(): Promise<Store> {
    await this.#store[Symbol.asyncDispose]()
    this.#store = openStore({ path: this.path })
    return this.#store
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

let bytes: Buffer | null = null

/** A store without rows, copied: to make one anew takes longer than most tests. */
function emptyStore(): Buffer {
  if (bytes !== null) return bytes
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-empty-'))
  const file = path.join(folder, 'shipbell.db')
  const store = openStore({ path: file })
  const sqlite = new Sqlite(file, { readonly: true })
  bytes = sqlite.serialize()
  sqlite.close()
  void store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
  return bytes
}
