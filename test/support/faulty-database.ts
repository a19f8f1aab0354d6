import { afterEach, beforeEach } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { DatabaseProxy } from './database-proxy.ts'
import { postgresDatabases } from './postgres-databases.ts'

const COUNT = new Query('UPDATE steady_time SET latest = latest + 1')
const COUNTED = new Query<{ latest: number }>('SELECT latest FROM steady_time')

/** A database of one test, behind a network that fails when it is told to, and a number in it that is counted up. */
export interface FaultyDatabase {
  readonly url: string
  readonly proxy: DatabaseProxy
  readonly db: Database
  readonly countUp: (by?: Database) => Promise<number>
  readonly counted: (by?: Database) => Promise<number>
}

/** Makes one for each test of a file. */
export function faultyDatabase(): () => FaultyDatabase {
  let current: FaultyDatabase | undefined
  const now = (): FaultyDatabase => {
    if (current === undefined) throw new Error('There is a database within a test alone.')
    return current
  }
  beforeEach(async () => {
    const url = await (await postgresDatabases()).take()
    const proxy = await DatabaseProxy.start(url)
    const own = new Database({ url: proxy.url, pool: 2 })
    const countUp = async (db = own): Promise<number> => await db.write(async (tx) => await tx.run(COUNT))
    const counted = async (db = own): Promise<number> => (await db.one(COUNTED))?.latest ?? -1
    current = { url, proxy, db: own, countUp, counted }
  })
  afterEach(async () => {
    const { db, proxy, url } = now()
    await db[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
    await (await postgresDatabases()).giveBack(url)
  })
  return now
}
