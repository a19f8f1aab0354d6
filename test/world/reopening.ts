import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'

/** A store file, and the handle that the present process has of it. */
export class Reopening implements AsyncDisposable {
  readonly #path: string
  #store: Store

  constructor(path: string) {
    this.#path = path
    this.#store = openStore({ path })
  }

  /** `again`: with a new handle, as a new process would. */
  async open(again: boolean): Promise<Store> {
    if (!again) return this.#store
    await this.#store[Symbol.asyncDispose]()
    this.#store = openStore({ path: this.#path })
    return this.#store
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
  }
}
