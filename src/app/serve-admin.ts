import { turnTaking } from '../clock.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import type { AccountPoller } from '../poll/account-poller.ts'
import { adminContext, type AdminParts } from '../operate/admin-context.ts'
import { deskThread } from './desk-thread/desk-thread.ts'
import { openAdmin } from './open-admin.ts'
import { openMetrics } from './open-metrics.ts'
import type { OpenedWork } from './opened-work.ts'
import type { TelemetryHub } from './telemetry-hub.ts'
import { tellOfOthers } from './workers/others-attempts.ts'
import type { ShareCounts } from './workers/work-share.ts'

/** A process may have 1,024 files open in many places, and polls and delivers with the others. */
const LIMITS = { most: 512, mostPendingOfAddress: 64, sendWithinMs: 5_000 }

export interface ServedParts extends Omit<AdminParts, 'store' | 'budgetLeft' | 'metrics' | 'reader' | 'telemetry'> {
  readonly work: OpenedWork
  readonly telemetry: TelemetryHub
  /** What is to be disposed of with the service. */
  readonly resources: AsyncDisposableStack
  readonly polled: () => readonly AccountPoller[]
  readonly configRejected: () => boolean
}

/** The admin interface; null where the configuration has none. Throws `port_in_use`. */
export async function serveAdmin(parts: ServedParts): Promise<HttpServer | null> {
  const { clock, configRejected, feed, live, polled, readiness, resources, telemetry, work } = parts
  const { http } = live.config
  if (http === null) return null
  const { bytes: storeBytes, sayPort, share, store } = work
  const worker = (): ShareCounts => share.counts
  const observed = { storeBytes, worker, polled, configRejected }
  const letOthers = turnTaking(clock)
  const metrics = await openMetrics({ live, clock, store, telemetry, ...observed })
  await letOthers()
  const facts = {
    readiness,
    budgetLeft: (name: string) => polled().find(({ account }) => account.name === name)?.budgetLeft ?? null,
  }
  const thread = resources.use(deskThread({ ...parts, ...facts }))
  const admin = adminContext({
    ...parts,
    ...facts,
    store,
    metrics: async () => metrics.expose(),
    reader: thread && (async (looking) => thread.look(looking)),
  })
  const server = await startHttpServer({
    host: http.host,
    port: http.port,
    purpose: 'The admin interface',
    remedy: 'change `http.listen`, or set `http: false`',
    limits: LIMITS,
    fetch: await openAdmin(admin, store),
  })
  if (store.workers !== undefined) resources.use(tellOfOthers({ store: store.workers, feed, clock }))
  resources.use(server)
  resources.use(sayPort(server.port))
  await letOthers()
  return server
}
