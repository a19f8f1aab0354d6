import { test } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { expectCommits, expectWholeAt, writeUntil } from './crash.ts'
import { openAt } from './open-at.ts'

test('a process killed amid commits leaves whole transactions only, and loses none it had reported', async () => {
  const databases = await postgresDatabases()
  const url = await databases.take()
  await expectWholeAt(url, [40])
  await databases.giveBack(url)
})

test('a database that crashes amid commits keeps whole transactions only, and loses none that was reported', async () => {
  await using server = await PostgresServer.start({ durable: true })
  const reported = await writeUntil(server.url(), 20, async (writer) => {
    await server.stop('SIGQUIT')
    writer.kill('SIGKILL')
  })
  await server.start()
  await using store = await openAt(server.url())
  await expectCommits(store, reported)
})
