import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { systemClock } from '../../src/clock.ts'
import { createLogger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import { interfaceFields } from '../../src/platform/interface-fields.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/gate.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { medianCost } from './measure.ts'
import { startPeer } from './start-peer.ts'

const SHIPMENTS = 10_000
const RUNS = 5

/** CPU of a pass that finds nothing changed, beside a bare loop that fetches the same pages and throws them away. */
export async function benchUnchangedPass(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  const bare = await medianCost(RUNS, async () => fetchAndDiscard(peer.url))
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  try {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    await using platform = createPlatformClient({
      ...ACCOUNT,
      baseUrl: peer.url,
      concurrency: 1,
      userAgent: 'bench',
      clock: systemClock,
    })
    const poller = new AccountPoller({
      account: { ...ACCOUNT, baseUrl: peer.url },
      platform,
      committer: new Committer({ store, clock: systemClock, subscriptions: () => [], onDeliveries: () => undefined }),
      clock: systemClock,
      random: () => 0,
      log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
      progress: () => undefined,
      patience: ENDLESS_PATIENCE,
      fields: interfaceFields(),
    })
    const pass = await medianCost(RUNS, async () => poller.once(new AbortController().signal))
    const ratio = (pass.cpuMs / bare.cpuMs).toFixed(2)
    return `unchanged pass, ${SHIPMENTS} shipments: ${pass.cpuMs.toFixed(0)} ms CPU against ${bare.cpuMs.toFixed(0)} ms bare: ${ratio}×`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ACCOUNT: AccountSettings = {
  name: 'bench',
  baseUrl: '',
  apiKey: 'bench',
  timeZone: 'UTC',
  budget: { requests: 1_000_000, perMs: 1_000, concurrency: 1, share: 1 },
  timeoutMs: 30_000,
  settleMs: 0,
  firstPoll: 'baseline',
  shipmentIdField: null,
  watch: { shipments: { everyMs: 60_000, ignore: [], milestoneGraceMs: 86_400_000 } },
}

async function fetchAndDiscard(url: string): Promise<void> {
  const pool = new Pool(url, { connections: 1 })
  for (let skip = 0; skip <= SHIPMENTS; skip += 100) {
    const { body } = await pool.request({ path: `/v1/shipments?skip=${skip}&take=100`, method: 'GET' })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  }
  await pool.close()
}
