import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openPostgresStore } from '../../../src/store/server/open-store.ts'
import { systemClock } from '../../../src/clock.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { Workplace } from '../../support/shipbell.ts'
import { familyCpuMs } from '../process-cpu.ts'
import { startDeskPeer, type DeskPeer } from '../start-peer.ts'
import { askAll } from './ask.ts'
import { browse } from './browse.ts'
import { deskConfig } from './desk-config.ts'
import { DeskDaemon } from './desk-daemon.ts'
import { FULL, liveOf, SMALL } from './desk-size.ts'
import { deskStore, indexAll } from './desk-store.ts'
import { describeDesk, type Crowd } from './describe-desk.ts'
import { knownOf } from './known.ts'
import { questionsAbout, type Question } from './questions.ts'

const CLIENTS = 20
/** Between two pages of one client. */
const PAUSES_MS = [1_000, 0] as const
const FULL_RUN = { rounds: 50, turns: 10, turnMs: 6_000 } as const
const SMALL_RUN = { rounds: 5, turns: 1, turnMs: 2_000 } as const
/** Until what a start brings is over. */
const SETTLING_MS = 3_000

/**
 * API and pages of the real program on a large store, and what browsing does to deliveries. `--small` shows that it runs, `--postgres`
 * moves the store to a PostgreSQL first, whose processor's time then counts with the program's.
 */
export async function benchDesk(): Promise<string> {
  const options = {
    small: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  } as const
  const { postgres, small } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true }).values
  const [size, run] = small ? [SMALL, SMALL_RUN] : [FULL, FULL_RUN]
  const { madeAt, path: kept } = await deskStore(size)
  using peer = await startDeskPeer(size.shipments, liveOf(size), madeAt)
  using work = new Workplace()
  const store = path.join(work.folder, 'shipbell.db')
  copyFileSync(kept, store)
  const questions = questionsAbout(knownOf(store, size, systemClock.now()))
  work.write('shipbell.yaml', deskConfig({ peer: peer.url, learning: false }))
  await using server = postgres ? await movedStore(work) : null
  if (server !== null)
    work.write('shipbell.yaml', deskConfig({ peer: peer.url, learning: false, database: server.url() }))
  await using daemon = new DeskDaemon(work.folder)
  const url = await daemon.url()
  await delay(SETTLING_MS)
  await daemon.seen()
  const cpuMs = (): number => daemon.cpuMs() + (server?.pid === undefined ? 0 : familyCpuMs(server.pid))
  const asked = await askAll(questions, { url, peer: peer.url, rounds: run.rounds, cpuMs })
  const alone = await daemon.seen()
  await peer.ask('change')
  const crowds: Crowd[] = []
  for (const pauseMs of PAUSES_MS) crowds.push(await crowd({ peer, url, questions, pauseMs, ...run }, daemon))
  return describeDesk({ size, asked, alone, crowds, complaints: daemon.linesFrom(50) })
}

/** A PostgreSQL of its own, to which the store of a workplace was moved. */
async function movedStore(work: Workplace): Promise<PostgresServer> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await PostgresServer.start({ settings: ['shared_buffers=128MB', 'max_wal_size=4GB'] }))
  const { code, stderr } = await work.run('store', 'copy', '--to', server.url())
  if (code !== 0) throw new Error(stderr)
  {
    await using store = await openPostgresStore({ url: server.url(), pool: 2 })
    await indexAll(store)
  }
  await vacuum(server.url())
  stack.move()
  return server
}

/** What the server does by itself within minutes. */
async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

interface CrowdRequest {
  readonly peer: DeskPeer
  readonly url: string
  readonly questions: readonly Question[]
  readonly pauseMs: number
  readonly turns: number
  readonly turnMs: number
}

/** Deliveries with and without clients, in turns. */
async function crowd(
  { peer, pauseMs, questions, turnMs, turns, url }: CrowdRequest,
  daemon: DeskDaemon,
): Promise<Crowd> {
  const pages = questions.filter(({ name }) => name.startsWith('page'))
  const pairs: Crowd['pairs'][number][] = []
  const times: number[] = []
  const cuts: string[] = []
  await delay(SETTLING_MS)
  await peer.ask('latencies')
  await daemon.seen()
  const seen = []
  for (let turn = 0; turn < turns; turn += 1) {
    await delay(turnMs)
    const without = await peer.ask('latencies')
    await daemon.seen()
    {
      await using browsing = browse(url, pages, { clients: CLIENTS, pauseMs })
      await delay(turnMs)
      times.push(...browsing.times)
      cuts.push(...browsing.cuts)
    }
    pairs.push({ without, beside: await peer.ask('latencies') })
    seen.push(await daemon.seen())
  }
  return { clients: CLIENTS, pauseMs, pairs, times, cuts, seen }
}
