import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { DEBIANS_POSTGRES } from '../support/debians-postgres.ts'
import { freePort } from '../support/free-port.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { EventStreamReader } from './event-stream-reader.ts'
import { Stage } from './stage.ts'
import { baselined, stopped, WAIT } from './workplace.ts'

const SHIPMENTS = 24
/** Of those that the standby does not hear of; the others change while nobody is there. */
const LOST = 12
const ROUNDS = Number(process.env['SHIPBELL_TEST_PROMOTIONS'] ?? 2)

const FOLLOWS = `SELECT count(*)::int AS amount FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()`
const DEAF = ["ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()']
const LISTENS = 'SELECT count(*)::int AS amount FROM pg_stat_wal_receiver'
const CREATED = `SELECT count(*)::int AS amount FROM events WHERE type = 'shipment.created'`
const LOG = 'SELECT id, sequence::int FROM events ORDER BY ref'
const DELIVERED = `
  SELECT events.id, sequence::int FROM deliveries JOIN events ON events.ref = deliveries.event WHERE state = 'delivered'`

interface LoggedRow {
  readonly id: string
  readonly sequence: number
}

async function ask<Row extends object>(server: PostgresServer, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function amount(server: PostgresServer, sql: string): Promise<number> {
  return (await ask<{ amount: number }>(server, sql))[0]?.amount ?? -1
}

function named(names: (nth: number) => string) {
  return Array.from({ length: SHIPMENTS }, (_, nth) => ({
    platform_shipment_id: `SHP ${nth}`,
    name: names(nth),
    status: 'booked',
  }))
}

function textOf({ id, sequence }: LoggedRow): string {
  return `${id} #${sequence}`
}

interface Scene extends Pick<Stage, 'work' | 'platform' | 'receiver'> {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly port: number
  /** The standby has all that was committed so far, and hears no more. */
  readonly deafen: () => Promise<void>
  /** The primary is no more, and the standby goes on; `meanwhile` nobody is there. */
  readonly promote: (meanwhile: () => void) => Promise<void>
}

async function onStage<T>(act: (scene: Scene) => Promise<T>): Promise<T> {
  const settings = ['wal_level=replica']
  await using primary = await PostgresServer.start({ bin: DEBIANS_POSTGRES ?? '', durable: true, settings })
  await using standby = await primary.standby()
  await using proxy = await DatabaseProxy.start(primary.url())
  await using stage = await Stage.open()
  const { platform, receiver, work } = stage
  stage.configure({ more: 'storage: { url: "${DATABASE_URL}" }' })
  const port = await freePort()
  const config = readFileSync(`${work.folder}/shipbell.yaml`, 'utf8')
  work.write('shipbell.yaml', config.replace('127.0.0.1:0', `127.0.0.1:${port}`))
  work.environment = { DATABASE_URL: proxy.url }
  const deafen = async (): Promise<void> => {
    await vi.waitFor(async () => expect(await amount(primary, FOLLOWS)).toBe(1), WAIT)
    for (const sql of DEAF) await ask(standby, sql)
    await vi.waitFor(async () => expect(await amount(standby, LISTENS)).toBe(0), WAIT)
  }
  const promote = async (meanwhile: () => void): Promise<void> => {
    proxy.isAway = true
    proxy.cut()
    await primary.stop('SIGQUIT')
    meanwhile()
    await ask(standby, 'SELECT pg_promote()')
    proxy.target = standby.url()
    proxy.isAway = false
  }
  const result = await act({ platform, receiver, work, primary, standby, port, deafen, promote })
  expect(receiver.problems).toEqual([])
  return result
}

/** One life of two servers; resolves to what is not so. */
async function liveThrough(round: number, scene: Scene): Promise<readonly string[]> {
  const { platform, port, receiver, standby, work } = scene
  platform.shipments = named((nth) => `as it was ${nth}`)
  const daemon = work.start('run')
  await baselined(receiver)
  const stream = await EventStreamReader.open(`http://127.0.0.1:${port}/api/v1/stream`)
  const begun = Math.max(...receiver.events.map(({ sequence }) => sequence))
  const heard = async (text: string, count: number): Promise<void> =>
    await vi.waitFor(() => {
      const told = receiver.events.filter((event) => JSON.stringify(event).includes(text))
      expect(new Set(told.map(({ subject }) => subject.id)).size).toBeGreaterThanOrEqual(count)
    }, WAIT)

  platform.shipments = named((nth) => `shared ${nth}.`)
  await heard('"shared ', SHIPMENTS)
  await scene.deafen()

  // Where a round ends in the middle of this, some of it is in hand.
  platform.shipments = named((nth) => (nth < LOST ? `lost ${nth}.` : `shared ${nth}.`))
  await heard('"lost ', round % 2 === 0 ? LOST : 1 + (round % LOST))
  await scene.promote(() => {
    // What a third of the lost ones became never shows again.
    platform.shipments = named((nth) => (nth < LOST && nth % 3 > 0 ? `lost ${nth}.` : `found ${nth}.`))
  })

  await heard('"found ', SHIPMENTS - LOST + LOST / 3)
  platform.shipments = named((nth) => `last ${nth}.`)
  await heard('"last ', SHIPMENTS)
  const log = await vi.waitFor(async () => {
    const rows = await ask<LoggedRow>(standby, LOG)
    expect(await ask<LoggedRow>(standby, DELIVERED)).toHaveLength(rows.length)
    return rows
  }, WAIT)
  const sent = new Set(receiver.received.map(({ id, payload }) => textOf({ id, sequence: payload.sequence })))
  const unsent = log.filter((row) => !sent.has(textOf(row))).map((row) => `delivered, never sent: ${textOf(row)}`)
  const since = log.filter(({ sequence }) => sequence > begun)
  const unshown = await vi
    .waitFor(() => expect(since.filter((row) => !stream.shown.has(textOf(row)))).toEqual([]), { timeout: 5_000 })
    .then(
      () => [],
      () => since.filter((row) => !stream.shown.has(textOf(row))).map((row) => `not in the stream: ${textOf(row)}`),
    )
  stream.close()
  await stopped(daemon)
  return [...unsent, ...unshown]
}

describe.runIf(DEBIANS_POSTGRES !== null).concurrent('a standby that is promoted without the last commits', () => {
  test('has no row that says what happened in the past that it lacks', async () => {
    const wrong: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = await onStage(async (scene) => await liveThrough(round, scene))
      wrong.push(...rows.map((row) => `${round}: ${row}`))
    }
    process.stdout.write(`${ROUNDS} promotions, ${wrong.length} wrong rows\n`)
    expect(wrong).toEqual([])
  })

  test('learns in silence what it was never told of, also where a pass had begun before', async () => {
    await onStage(async ({ deafen, platform, promote, receiver, standby, work }) => {
      const shipments = named((nth) => `as it was ${nth}`)
      const pages = Array.from({ length: 5 }, (_, page) =>
        shipments.map((each) => ({ ...each, platform_shipment_id: `${each.platform_shipment_id} of ${page}` })),
      )
      platform.shipments = pages.flat()
      const { promise: isDeaf, resolve: heard } = Promise.withResolvers<void>()
      const { promise: hasChanged, resolve: goOn } = Promise.withResolvers<void>()
      let asked = 0
      platform.replace = async (path) => {
        if (!path.startsWith('/v1/shipments')) return null
        await isDeaf
        // The first page is in the past that is lost, the next one comes once that is over.
        if (path.includes('skip=0')) return null
        asked += 1
        await hasChanged
        return null
      }
      const daemon = work.start('run')
      await daemon.prints(/"worker\.leases"/)
      await deafen()
      heard()
      await vi.waitFor(() => expect(asked).toBeGreaterThan(0), WAIT)
      await promote(goOn)
      await baselined(receiver)
      platform.shipments = platform.shipments.map((each) => ({ ...each, name: 'changed' }))
      const rung = (): number => receiver.events.filter(({ type }) => type === 'shipment.updated').length
      await vi.waitFor(() => expect(rung()).toBe(platform.shipments.length), WAIT)
      expect(receiver.events.filter(({ type }) => type === 'shipment.created')).toEqual([])
      expect(await amount(standby, CREATED)).toBe(0)
      await stopped(daemon)
    })
  })
})
