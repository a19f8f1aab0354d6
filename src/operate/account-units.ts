import { watchedIn, type AccountSettings } from '../model/account.ts'
import { isListed, RECORD_OF, type RecordResource } from '../model/resource.ts'
import type { ForecastUnit } from '../plan/forecast.ts'
import { ReadScheduler } from '../plan/read-scheduler.ts'
import type { ReplayUnit } from '../plan/replay.ts'
import { resourceOf } from '../plan/target.ts'
import { endEveryMs } from '../plan/paging.ts'
import { knownEndCost, noteKnownUnits, trackedShipments, weightsOf } from '../poll/schedule/known-units.ts'
import type { Store } from '../store/ports/store.ts'

export interface AccountUnits {
  readonly units: readonly ForecastUnit[]
  /** The units that were read before. */
  readonly past: readonly ReplayUnit[]
  /** The resources of which something was read. */
  readonly known: ReadonlySet<RecordResource>
}

export interface UnitsRequest {
  /** The store; null: nothing was read yet. */
  readonly store: Store | null
  readonly now: number
  /** Called between small steps. Left out: nobody waits. */
  readonly letOthers?: (() => Promise<void>) | undefined
}

/** Loads what each account takes to read once, however many plans ask for it: those of all accounts of its key do. */
export class UnitsByAccount {
  readonly #request: UnitsRequest
  readonly #loaded = new Map<string, Promise<AccountUnits>>()

  constructor(request: UnitsRequest) {
    this.#request = request
  }

  async of(account: AccountSettings): Promise<AccountUnits> {
    const loaded = this.#loaded.get(account.name) ?? accountUnits(account, this.#request)
    this.#loaded.set(account.name, loaded)
    return loaded
  }
}

const EVERY_ONE = Number.MAX_SAFE_INTEGER

/**
 * What an account takes to read, one request each, as far as a store knows. Of a list that was never read, one page; of
 * what was never read by its id, nothing that changes.
 */
async function accountUnits(account: AccountSettings, request: UnitsRequest): Promise<AccountUnits> {
  const { store } = request
  const { scheduler, past } = await recalled(account, request)
  const unread = store === null ? 0 : await unreadTrackings(account, { ...request, store })
  const rates = ratesOf(scheduler)
  const known = new Set(past.map(({ target }) => target.resource))
  const units: ForecastUnit[] = []
  for (const [name, { everyMs, weight = 1 }] of watchedIn(account.watch)) {
    const resource = RECORD_OF[name]
    const own = rates.get(resource) ?? []
    const read = scheduler.count(resource) + (resource === 'tracking' ? unread : 0)
    const endMs = store === null ? null : endEveryMs(await knownEndCost({ account, store }, resource), everyMs)
    const least = leastUnits(account, resource, read + (endMs === everyMs ? 1 : 0))
    for (let nth = 0; nth < Math.max(least, own.length); nth += 1) {
      units.push({ resource, rate: own[nth] ?? 0, weight, everyMs })
    }
    if (endMs !== null && endMs !== everyMs) units.push({ resource, rate: 0, weight, everyMs: endMs, isEnd: true })
  }
  await request.letOthers?.()
  return { units, past, known }
}

function leastUnits({ watch }: AccountSettings, resource: RecordResource, known: number): number {
  if (resource === 'order_preparation') return Math.max(known, watch.order_preparations?.references.length ?? 0)
  return isListed(resource) ? Math.max(1, known) : known
}

async function recalled(account: AccountSettings, { letOthers, now, store }: UnitsRequest) {
  const scheduler = new ReadScheduler(weightsOf(account))
  const past: ReplayUnit[] = []
  if (store === null) return { scheduler, past }
  const every = new Map<RecordResource, number>(
    watchedIn(account.watch).map(([name, { everyMs }]) => [RECORD_OF[name], everyMs]),
  )
  const everyMs = (resource: RecordResource): number => every.get(resource) ?? EVERY_ONE
  scheduler.recall(await store.learnt(account.name))
  const noting: Parameters<typeof noteKnownUnits>[0] = {
    recalledMix: (target) => scheduler.recalledMix(target),
    pageKnown: (target, read) => {
      scheduler.pageKnown(target, read)
      past.push({ target, everyMs: everyMs(target.resource), mix: read.mix })
    },
    itemKnown: (facts, readAt) => {
      scheduler.itemKnown(facts, readAt)
      past.push({ target: facts.target, everyMs: everyMs(facts.target.resource), phase: facts.phase })
    },
  }
  await noteKnownUnits(noting, { account, store, now, letOthers })
  return { scheduler, past }
}

/** Live shipments whose tracking was never read. */
async function unreadTrackings(
  { name, watch }: AccountSettings,
  request: UnitsRequest & { readonly store: Store },
): Promise<number> {
  let unread = 0
  if (watch.tracking === undefined) return unread
  for await (const shipments of trackedShipments(name, request))
    unread += shipments.filter(({ lastSentAt }) => lastSentAt === null).length
  return unread
}

function ratesOf(scheduler: ReadScheduler): ReadonlyMap<RecordResource, readonly number[]> {
  const rates = new Map<RecordResource, number[]>()
  for (const { key, rate } of scheduler.units) {
    const resource = resourceOf(key)
    if (resource === null) continue
    const own = rates.get(resource) ?? []
    own.push(rate)
    rates.set(resource, own)
  }
  return rates
}
