import type { AccountSettings } from '../model/account.ts'
import type { RecordResource } from '../model/resource.ts'
import { delayOf } from '../plan/forecast.ts'
import { replay, type PastChange, type ReplayedChange, type ReplayUnit } from '../plan/replay.ts'
import { mostReads } from '../plan/unit-queue.ts'
import { weightsOf } from '../poll/schedule/known-units.ts'
import type { AccountReplay } from '../report/plan.ts'
import type { SeenChange, SeenQuery } from '../store/ports/query-port.ts'
import type { Store } from '../store/ports/store.ts'

interface Options {
  readonly store: Store
  readonly now: number
  readonly units: readonly ReplayUnit[]
  /** Requests in a millisecond: as it is, and as is supposed. */
  readonly asIs: number
  readonly supposed: number
}

const DAY_MS = 86_400_000
const LONGEST_MS = 7 * DAY_MS
/** The most requests of a replay: they are simulated within seconds. */
const MOST_REQUESTS = 80_000
/** The most events of a replay: as many as there are. */
const MOST_EVENTS = Number.MAX_SAFE_INTEGER
/** Spreads whatever is counted evenly, without chance. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Replays the changes of the log with another budget, as far as something is worth its requests. Each change happens at one
 * instant within the time in which it did happen.
 */
export async function replayAccount(account: AccountSettings, options: Options): Promise<AccountReplay> {
  const { now, store, units } = options
  const most = units.length * mostReads(Number.POSITIVE_INFINITY)
  const [asIs, supposed] = [Math.min(options.asIs, most), Math.min(options.supposed, most)]
  const seen = await seenChanges(store, account.name, { since: now - LONGEST_MS, most: MOST_EVENTS })
  const earliest = seen.reduce((first, { notBefore }) => Math.min(first, notBefore), now)
  const from = Math.max(now - LONGEST_MS, earliest, now - MOST_REQUESTS / Math.max(asIs, supposed))
  const seenAt = new Map<PastChange, number>()
  seen.forEach((change, nth) => {
    const past = pastChange(change, (nth * GOLDEN) % 1)
    if (past.at >= from) seenAt.set(past, change.notAfter)
  })
  const scene = { units, changes: [...seenAt.keys()], weights: weightsOf(account), from, to: now }
  const before = replay({ ...scene, allowed: asIs })
  const after = replay({ ...scene, allowed: supposed })
  const resources = [...new Set(after.map(({ change }) => change.target.resource))]
  return {
    from,
    to: now,
    resources: resources.map((resource) => {
      const own = after.filter(({ change }) => change.target.resource === resource)
      return {
        resource,
        changes: own.length,
        recorded: delayOf(own.map(({ change }) => (seenAt.get(change) ?? now) - change.at)),
        asIs: delayOf(delays(before, resource, now)),
        supposed: delayOf(delays(after, resource, now)),
        unseen: own.filter((each) => each.seenAt === null).length,
      }
    }),
  }
}

function delays(replayed: readonly ReplayedChange[], resource: RecordResource, end: number): readonly number[] {
  const own = replayed.filter(({ change }) => change.target.resource === resource)
  return own.map(({ change, seenAt }) => (seenAt ?? end) - change.at)
}

/** `part`: how far through the time in which it may have happened. */
function pastChange({ id, notAfter, notBefore, resource, skip }: SeenChange, part: number): PastChange {
  const at = notBefore + part * (notAfter - notBefore)
  return { id, at, target: skip === null ? { kind: 'item', resource, id } : { kind: 'page', resource, skip } }
}

/** What a row announces is read within so long: at once, but for a budget that is spent. */
const ANNOUNCED_WITHIN_MS = 5 * 60_000

/**
 * The changes that were seen of an account since an instant, in that order. A tracking that was read because its shipment's row
 * had changed shows the same change: it had not happened yet when the row was read before.
 */
export async function seenChanges(
  store: Pick<Store, 'changesSeen'>,
  account: string,
  query: SeenQuery,
): Promise<readonly SeenChange[]> {
  const rows = new Map<string, SeenChange>()
  return (await store.changesSeen(account, query)).map((change) => {
    if (change.resource === 'shipment') rows.set(change.id, change)
    const row = change.resource === 'tracking' ? rows.get(change.id) : undefined
    if (row === undefined || change.notAfter - row.notAfter > ANNOUNCED_WITHIN_MS) return change
    return { ...change, notBefore: Math.max(change.notBefore, row.notBefore) }
  })
}
