import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from './empty-store.ts'

/** A store in a folder of its own, and the handle that the present process has of it. */
export class StoreFile implements AsyncDisposable {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'shipbell-store-'))
  readonly path = path.join(this.folder, 'shipbell.db')
  #store: Store

  constructor() {
    putEmptyStore(this.path)
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
