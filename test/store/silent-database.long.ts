import { expect, it } from 'vitest'
import { Database } from '../../src/store/server/database.ts'
import { ServerWatch } from '../../src/store/server/server-watch.ts'
import { faultyDatabase } from '../support/faulty-database.ts'

const faulty = faultyDatabase()

it('a network that fails: it says in one sentence, without the password, that nobody is there', async () => {
  const { counted, proxy } = faulty()
  proxy.isAway = true
  await using away = new Database({
    url: proxy.url.replace('@', ':pa55word@'),
    pool: 1,
  })
  const error: unknown = await counted(away).catch((problem: unknown) => problem)
  expect(error).toMatchObject({ code: 'store_unusable' })
  expect(String(error)).toMatch(
    /^ShipbellError: The database 127\.0\.0\.1:\d+\/\w+ cannot be reached \([^)]+\): start it, or correct/,
  )
  expect(String(error)).not.toContain('pa55word')
})

it('a network that fails: it notices within 3 s that nobody answers, and gives up what waits for an answer', async () => {
  const { counted, countUp, db, proxy } = faulty()
  await using watch = new ServerWatch({
    url: proxy.url,
    place: 'db',
    takesMoved: false,
    onSilence: (why) => db.cut(why),
  })
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
