import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import type { ClaimedDelivery } from '../../../src/store/ports/delivery-port.ts'
import { openPostgresStore } from '../../../src/store/server/open-store.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { quantile } from '../measure.ts'
import { fillBacklog, knowEndpoints, NAMES, writeRows } from './backlog.ts'
import { DOWN, fillLedger, LEDGER_ROWS, PENDING_ROWS } from './big-ledger.ts'
import { describeTables } from './table-sizes.ts'

const OWNER = 'bench'
const PLACES = 4
const LEASE_MS = 90_000
const BAR_MS = 5
const CLAIMS = 300
/** An hour of a hundred deliveries a second. */
const CHURNED = Number(process.env['SHIPBELL_BENCH_CHURN'] ?? 360_000)
const FAILED = 0.1
const VACUUM_SETTLES_MS = 10_000
const SLOTS: ReadonlyMap<string, number> = new Map(NAMES.map((name) => [name, PLACES]))
const LIMITS = new Map(NAMES.map((name) => [name, { concurrency: PLACES, rate: null, address: null }] as const))

/**
 * What a claim over 200 endpoints takes on PostgreSQL with a large ledger, before and after many rows have gone through it, and
 * what that leaves behind.
 */
export async function benchScaleClaims(): Promise<string> {
  // The server looks each second for what to vacuum, as the hour goes by in minutes.
  const settings = ['autovacuum_naptime=1s', 'shared_buffers=256MB', 'max_wal_size=2GB']
  await using server = await PostgresServer.start({ durable: true, settings })
  await using store = await openPostgresStore({ url: server.url(), pool: 4 })
  await knowEndpoints(store)
  await fillLedger(server.url(), systemClock.now())
  const head =
    `scale-claims, ${LEDGER_ROWS} rows, ${PENDING_ROWS} of them pending for ${DOWN} endpoints that are down, ` +
    `each claim over ${NAMES.length} endpoints (bar ${BAR_MS} ms):`
  const before = await claimTimes(store, 'before')
  const startedAt = performance.now()
  await churn(store)
  const seconds = (performance.now() - startedAt) / 1_000
  await delay(VACUUM_SETTLES_MS)
  const after = await claimTimes(store, 'after')
  return [
    head,
    ...before,
    `  after ${CHURNED} more rows went through it in ${seconds.toFixed(0)} s (${(CHURNED / seconds).toFixed(0)}/s), a tenth failing once:`,
    ...after,
    ...(await describeTables(server.url())),
  ].join('\n')
}

async function claimTimes(store: Store, series: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const due of [0, 10, 100]) {
    const times: number[] = []
    for (let nth = 0; nth < CLAIMS; nth += 1) {
      if (due > 0) await writeRows(store, [`evt_${series}_${due}_${nth}`], NAMES.slice(-due))
      const from = performance.now()
      const claimed = await claim(store)
      times.push(performance.now() - from)
      if (claimed.length !== due) throw new Error(`${claimed.length} rows were claimed of ${due}`)
      await settle(store, claimed, 0)
    }
    const at = (part: number): string => quantile(times, part).toFixed(2)
    lines.push(`    ${due} rows due: ${at(0.5)} ms in the median, ${at(0.99)} ms in 99 %`)
  }
  return lines
}

async function churn(store: Store): Promise<void> {
  const rowsEach = 50
  for (let written = 0, turn = 0; written < CHURNED; written += rowsEach * NAMES.length, turn += 1) {
    await fillBacklog(store, `churn_${turn}`, rowsEach)
    for (;;) {
      const claimed = await claim(store)
      if (claimed.length === 0) break
      await settle(store, claimed, FAILED)
    }
  }
}

async function claim(store: Store): Promise<readonly ClaimedDelivery[]> {
  const now = systemClock.now()
  return await store.claim({ owner: OWNER, now, leaseMs: LEASE_MS, slots: SLOTS, limits: LIMITS })
}

/** Each is delivered, but for a part of those that are tried for the first time, which are due again at once. */
async function settle(store: Store, claimed: readonly ClaimedDelivery[], failed: number): Promise<void> {
  const at = systemClock.now()
  const results = claimed.map(({ attempts, id }, nth) => {
    const isFailed = attempts === 0 && nth < claimed.length * failed
    return {
      id,
      attempt: {
        at,
        durationMs: 5,
        status: isFailed ? 500 : 204,
        error: isFailed ? 'The receiver answered 500.' : null,
        answer: null,
      },
      result: isFailed ? ({ kind: 'retry', at } as const) : ({ kind: 'delivered' } as const),
    }
  })
  await store.settle(OWNER, results)
}
