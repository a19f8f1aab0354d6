import { StoreFile } from '../support/store-file.ts'
import { totalsOfFile } from './daily-totals.ts'
import { describeStore } from './conformance.ts'

describeStore('the SQLite store', async () => {
  const file = new StoreFile()
  const dailyTotals = async () => totalsOfFile(file.path)
  return { ...file.store, dailyTotals, [Symbol.asyncDispose]: async () => file[Symbol.asyncDispose]() }
})
