import { openStore } from '../../src/store/file/open-store.ts'

/** Opens the store at a path, which brings it up to date, and ends. */
const [path = ''] = process.argv.slice(2)
await openStore({ path })[Symbol.asyncDispose]()
