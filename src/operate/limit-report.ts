import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { KeptLimit, LimitTrouble } from '../model/own-limit.ts'
import { newRecordState, type RecordState } from '../model/record-state.ts'
import { Committer } from '../poll/committer.ts'
import { updateRecord } from '../poll/ingest/update-record.ts'
import type { Daemon } from '../report/status.ts'
import type { WorkerOverview } from '../report/workers.ts'
import type { PollStore } from '../store/ports/store.ts'

/** Beside the configuration's own record, which has its id. */
export const SENDING = 'sending'

interface LimitReportDeps {
  readonly store: PollStore
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
  readonly log: Logger
}

/** Keeps with the store what of this process's own holds up sending, so that `status` can name it. Returns at once. */
export function limitReport({ store, clock, log }: LimitReportDeps): (trouble: LimitTrouble | null) => void {
  const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
  return (trouble) => {
    write(committer, trouble, clock.now()).catch((error: unknown) => {
      log.warn({ error: String(error), next: '`status` does not name the limit' }, 'limit.untold')
    })
  }
}

async function write(committer: Committer, trouble: LimitTrouble | null, at: number): Promise<void> {
  const key = { account: null, resource: 'configuration', id: SENDING } as const
  const own = `${hostname()}:${process.pid}`
  await updateRecord(committer, key, async (before) => {
    const known = before?.memory.limits ?? {}
    const others = Object.fromEntries(Object.entries(known).filter(([id]) => id !== own))
    const ownTrouble = trouble === null ? {} : { [own]: { ...trouble, host: hostname(), pid: process.pid, since: at } }
    const memory = { ...before?.memory, limits: { ...others, ...ownTrouble } }
    const write = { contentHash: null, read: 'none' } as const
    const first = newRecordState(key, { read: { sentAt: at, answeredAt: at }, atBaseline: false })
    return before === null
      ? { state: { ...first, memory }, events: [] }
      : { state: { ...before, memory }, events: [], write }
  })
}

/** What holds up the sending of processes that live, of all that is kept. */
export function limitTroubles(
  known: RecordState['memory']['limits'],
  { daemon, workers }: { readonly daemon: Daemon | null; readonly workers: readonly WorkerOverview[] },
): readonly KeptLimit[] {
  const living = daemon === null ? workers : [daemon, ...workers]
  return Object.values(known ?? {}).filter(({ host, pid }) =>
    living.some((each) => each.pid === pid && each.host === host),
  )
}
