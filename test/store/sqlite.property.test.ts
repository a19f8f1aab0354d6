import { StoreFile } from '../support/store-file.ts'
import { describeStore } from './conformance.ts'

describeStore('the SQLite store', async () => {
  const file = new StoreFile()
  return { ...file.store, [Symbol.asyncDispose]: async () => file[Symbol.asyncDispose]() }
})
