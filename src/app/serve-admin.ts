import { turnTaking } from '../clock.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import type { AccountPoller } from '../poll/account-poller.ts'
import { adminContext, type AdminParts } from '../operate/admin-context.ts'
import type { AdminContext } from '../serve/admin-context.ts'
import type { Metrics } from '../serve/metrics/metrics.ts'
import { readVersion } from '../version.ts'
import type { AccountSupervisor } from './account-supervisor.ts'
import { deskThread } from './desk-thread/desk-thread.ts'
import { openAdmin } from './open-admin.ts'
import { openMetrics } from './open-metrics.ts'
import { isWanted } from './otlp/wanted-signals.ts'
import type { OpenedWork } from './opened-work.ts'
import type { TelemetryHub } from './telemetry-hub.ts'
import { documentsElsewhere } from './workers/documents-elsewhere.ts'
import { tellOfOthers } from './workers/others-attempts.ts'
import type { ShareCounts } from './workers/work-share.ts'

/** A process may have 1,024 files open in many places, and polls and delivers with the others. */
const LIMITS = { most: 512, mostPendingOfAddress: 64, sendWithinMs: 5_000 }

export interface ServedParts extends Omit<
  AdminParts,
  'store' | 'budgetLeft' | 'document' | 'metrics' | 'reader' | 'telemetry'
> {
  readonly work: OpenedWork
  readonly telemetry: TelemetryHub
  /** What is to be disposed of with the service. */
  readonly resources: AsyncDisposableStack
  /** The accounts that are polled here. */
  readonly accounts: Pick<AccountSupervisor, 'documentsOf' | 'pollers'>
  readonly configRejected: () => boolean
}

/** The admin interface; null where the configuration has none. Metrics are sent by OTLP, too. Throws `port_in_use`. */
export async function serveAdmin(parts: ServedParts): Promise<HttpServer | null> {
  const { clock, accounts, feed, live, readiness, resources, work } = parts
  const { http } = live.config
  const isSent = isWanted('METRICS', process.env)
  if (http === null && !isSent) return null
  const { sayPort, store } = work
  const polled = (): readonly AccountPoller[] => accounts.pollers
  const letOthers = turnTaking(clock)
  const metrics = await metricsOf(parts)
  if (isSent) resources.use(await sentMetrics(metrics, parts))
  if (http === null) return null
  await letOthers()
  const document: AdminContext['document'] = async (account, id, cut) =>
    (await accounts.documentsOf(account)?.content(id, cut)) ?? (await documentsElsewhere(account, store.workers))
  const facts = {
    readiness,
    budgetLeft: (name: string) => polled().find(({ account }) => account.name === name)?.client.budgetLeft ?? null,
    document,
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

async function metricsOf({ accounts, clock, configRejected, live, telemetry, work }: ServedParts): Promise<Metrics> {
  const { bytes: storeBytes, share, store } = work
  const worker = (): ShareCounts => share.counts
  const polled = (): readonly AccountPoller[] => accounts.pollers
  return await openMetrics({ live, clock, store, telemetry, storeBytes, worker, polled, configRejected })
}

/** The metrics as they are sent to a collector. What that takes is loaded here. */
async function sentMetrics(metrics: Metrics, { clock, log }: ServedParts): Promise<AsyncDisposable> {
  const { sendMetrics } = await import('./otlp/send-telemetry.ts')
  return sendMetrics({ clock, log, read: async () => metrics.read(), version: readVersion() })
}
