import { pathToFileURL } from 'node:url'
import { Connection } from '../../src/store/file/connection.ts'
import { migrate } from '../../src/store/file/migrate.ts'

/** Brings the store at the first argument up to date by the migrations in the folder at the second: to be killed meanwhile. */
const [path = '', folder = ''] = process.argv.slice(2)
const db = new Connection(path, { readonly: false, busyTimeoutMs: 1_000 })
migrate(db, { locked: true, folder: pathToFileURL(`${folder}/`) })
db[Symbol.dispose]()
