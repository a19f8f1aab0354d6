import type { LiveWorker, UnitState } from '../../store/ports/worker-port.ts'
import { compareIds, newestOf, takesPart } from '../../operate/newest-worker.ts'
import { HOUSEKEEPING } from './units.ts'

export interface ShareInput {
  readonly me: string
  readonly workers: readonly LiveWorker[]
  readonly units: readonly UnitState[]
  /** What the accounts of this worker's configuration are read by. */
  readonly wanted: readonly string[]
}

export interface Share {
  /** Whether the configuration of this worker is in force. */
  readonly isCurrent: boolean
  /** Units that nobody holds; as many of them are to be taken as `most`. */
  readonly take: { readonly units: readonly string[]; readonly most: number }
  readonly give: readonly string[]
}

/**
 * The least units of a surplus that are given up at once; never less than this part of all: a worker that joins has its share
 * soon.
 */
const GIVEN_AT_LEAST = 4
const GIVEN_PART = 0.1

/**
 * What one worker does for an even distribution. All of them judge by the same facts, so that only what is too much somewhere
 * moves. A worker whose configuration is not in force holds nothing: what it read would be routed by the old one.
 */
export function shareOf({ me, units, wanted, workers }: ShareInput): Share {
  const self = workers.find(({ id }) => id === me)
  const isCurrent = self !== undefined && self.config === newestOf(workers)?.config
  const mine = units.filter(({ worker }) => worker === me).map(({ unit }) => unit)
  if (!isCurrent) return { isCurrent, take: { units: [], most: 0 }, give: mine }
  const named = new Set([...wanted, HOUSEKEEPING])
  const unwanted = mine.filter((unit) => !named.has(unit))
  const own = mine.filter((unit) => unit !== HOUSEKEEPING && named.has(unit))
  const able = workers.filter((each) => takesPart(each) && each.config === self.config).map(({ id }) => id)
  const target = targetOf(me, { able, held: heldBy(units, new Set(wanted)), amount: wanted.length })
  const surplus = own.slice(target).slice(0, Math.max(GIVEN_AT_LEAST, Math.ceil(wanted.length * GIVEN_PART)))
  const holders = new Map(units.map(({ unit, worker }) => [unit, worker]))
  const free = wanted.filter((unit) => (holders.get(unit) ?? null) === null)
  const keepsHouse = (holders.get(HOUSEKEEPING) ?? null) !== null
  return {
    isCurrent,
    take: {
      units: [...(keepsHouse ? [] : [HOUSEKEEPING]), ...free],
      most: Math.max(0, Math.min(free.length, target - own.length)) + (keepsHouse ? 0 : 1),
    },
    give: [...unwanted, ...surplus],
  }
}

function heldBy(units: readonly UnitState[], wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const { unit, worker } of units)
    if (worker !== null && wanted.has(unit)) held.set(worker, (held.get(worker) ?? 0) + 1)
  return held
}

interface Distribution {
  readonly able: readonly string[]
  readonly held: ReadonlyMap<string, number>
  readonly amount: number
}

/** How many units a worker should have: whoever has the most keeps one more, where they cannot be divided evenly. */
function targetOf(me: string, { able, amount, held }: Distribution): number {
  const ranked = able.toSorted((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0) || compareIds(a, b))
  const more = ranked.indexOf(me) < amount % able.length ? 1 : 0
  return Math.floor(amount / able.length) + more
}
