import { afterEach, beforeEach, expect, it } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { Query } from '../../src/store/server/query.ts'
import { ServerWatch } from '../../src/store/server/server-watch.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const COUNT = new Query('UPDATE steady_time SET latest = latest + 1')
const READ = new Query<{ latest: number }>('SELECT latest FROM steady_time')

let url: string
let proxy: DatabaseProxy
let db: Database

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  proxy = await DatabaseProxy.start(url)
  db = new Database({ url: proxy.url, pool: 2 })
})

afterEach(async () => {
  await db[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await (await postgresDatabases()).giveBack(url)
})

const countUp = async (): Promise<number> => await db.write(async (tx) => await tx.run(COUNT))
const counted = async (): Promise<number> => (await db.one(READ))?.latest ?? -1

it('a network that fails: it says in one sentence, without the password, that nobody is there', async () => {
  proxy.isAway = true
  await using away = new Database({
    url: proxy.url.replace('@', ':pa55word@'),
    pool: 1,
  })
  const error: unknown = await away.one(READ).catch((problem: unknown) => problem)
  expect(error).toMatchObject({ code: 'store_unusable' })
  expect(String(error)).toMatch(
    /^ShipbellError: The database 127\.0\.0\.1:\d+\/\w+ cannot be reached \([^)]+\): start it, or correct/,
  )
  expect(String(error)).not.toContain('pa55word')
})

it('a network that fails: it notices within 3 s that nobody answers, and gives up what waits for an answer', async () => {
  await using watch = new ServerWatch({ url: proxy.url, place: 'db', onSilence: (why) => db.cut(why) })
  expect(await watch.look()).toBeGreaterThan(0)
  await countUp()
  proxy.isBlackHole = true
  const waiting = countUp()
  const startedAt = performance.now()
  await expect(watch.look()).rejects.toMatchObject({ code: 'store_unusable' })
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  await expect(watch.look()).rejects.toMatchObject({ code: 'store_unusable' })
  proxy.isBlackHole = false
  proxy.cut()
  await waiting
  expect(await watch.look()).toBeGreaterThan(0)
  expect(await counted()).toBe(2)
})
