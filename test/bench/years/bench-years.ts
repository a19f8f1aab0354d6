import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../../../src/clock.ts'
import { Retention } from '../../../src/deliver/retention.ts'
import { createLogger } from '../../../src/log.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import { quantile } from '../measure.ts'
import { SimulatedLife } from './simulated-life.ts'

const DAY = 86_400_000
const BEGIN = Date.UTC(2026, 0, 1)
const YEARS = Number(process.env['SHIPBELL_BENCH_YEARS'] ?? 10)
const EVENTS_A_DAY = Number(process.env['SHIPBELL_BENCH_EVENTS'] ?? 48)
const KEPT = { payloadsMs: 30 * DAY, ledgerMs: 365 * DAY }
const TABLES = ['events', 'deliveries', 'attempts', 'bodies', 'sightings', 'event_hours', 'event_days', 'delivery_days']

/** Ten years of an account in balance on a clock that is moved, each day swept: whether its store stops growing. */
export async function benchYears(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-years-'))
  try {
    return await live(path.join(folder, 'shipbell.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function live(file: string): Promise<string> {
  const steps: Steps = { payloads: [], ledger: [] }
  const store = openStore({ path: file })
  const life = new SimulatedLife(store, EVENTS_A_DAY)
  await life.begin(BEGIN)
  const lines: string[] = []
  const sizes: number[] = []
  for (let year = 1; year <= YEARS; year += 1) {
    for (let day = (year - 1) * 365; day < year * 365; day += 1) {
      const at = BEGIN + day * DAY
      await life.day(day, at)
      await sweep(timed(store, steps), at + DAY)
    }
    sizes.push(fileBytes(file))
    lines.push(`  year ${year}: ${megabytes(sizes.at(-1) ?? 0)}; ${counts(file)}`)
    await store.discard('idle', BEGIN + year * 365 * DAY)
  }
  await store[Symbol.asyncDispose]()
  return [headline(sizes), ...lines, stepLine('payloads', steps.payloads), stepLine('ledger', steps.ledger)].join('\n')
}

interface Steps {
  readonly payloads: number[]
  readonly ledger: number[]
}

/** The ledger holds its whole year from the second one on. */
function headline(sizes: readonly number[]): string {
  const [full = NaN, last = NaN] = [sizes[1], sizes.at(-1)]
  return (
    `years: ${EVENTS_A_DAY} events a day for two endpoints, payloads 30d, ledger 365d: the file is ${megabytes(full)} after two ` +
    `years and ${megabytes(last)} after ${YEARS}: ${((100 * last) / full - 100).toFixed(1)} % (aim: none)`
  )
}

async function sweep(
  store: Pick<Store, 'expirePayloads' | 'dropEnded' | 'endFeed' | 'listRecords'>,
  now: number,
): Promise<void> {
  const log = createLogger({
    level: 'silent',
    pretty: false,
    colour: false,
    secrets: () => [],
    write: () => undefined,
  })
  // Pauses are left out: they cost time and nothing else.
  const clock = { ...systemClock, now: () => now, sleep: async () => undefined }
  await new Retention({ store, clock, log, settings: () => ({ retention: KEPT, subscriptions: [] }) }).once(
    new AbortController().signal,
  )
}

function timed(store: Store, steps: Steps): Pick<Store, 'expirePayloads' | 'dropEnded' | 'endFeed' | 'listRecords'> {
  return {
    endFeed: (ending) => store.endFeed(ending),
    listRecords: (most) => store.listRecords(most),
    expirePayloads: async (sweepOf) => stopped(steps.payloads, async () => store.expirePayloads(sweepOf)),
    dropEnded: async (sweepOf) => stopped(steps.ledger, async () => store.dropEnded(sweepOf)),
  }
}

/** By the processor's time of this thread: the machine may have other work. */
async function stopped<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begun = process.threadCpuUsage()
  const done = await work()
  const { system, user } = process.threadCpuUsage(begun)
  times.push((user + system) / 1_000)
  return done
}

/** With all that its log holds. */
function fileBytes(file: string): number {
  const sqlite = new Sqlite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return statSync(file).size
}

function counts(file: string): string {
  const sqlite = new Sqlite(file, { readonly: true })
  const rows = TABLES.map((table) => {
    const amount = sqlite.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
    return `${table} ${amount.toLocaleString('en')}`
  })
  sqlite.close()
  return rows.join(', ')
}

function stepLine(name: string, times: readonly number[]): string {
  const [middle, high, most] = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)]
  const ms = [middle, high, most].map((each) => each.toFixed(1)).join(', ')
  return `  steps of ${name}: ${times.length.toLocaleString('en')}, p50, p99 and longest ${ms} ms of the processor (bar 20 ms)`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
