import type { Dialect } from '../reports/dialect.ts'
import type { Lookup } from '../reports/lookup.ts'
import type { ListKey } from '../ports/list-port.ts'
import { ShipbellError } from '../../errors.ts'
import { QUIET_PASSES_AFTER_REJECTION, type HeldList, type Hold, type HoldVerdict } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

/** How many records' misses are forgotten by one transaction. */
export const FORGOTTEN_AT_ONCE = 500

export type HoldRow = RowOf<typeof TABLES.holds>

export function holdRowOf({ account, resource }: ListKey, hold: Hold): HoldRow {
  return { account, resource, ...hold, sample: JSON.stringify(hold.sample) }
}

function toHeldList({ sample, ...row }: HoldRow): HeldList {
  return { ...row, sample: JSON.parse(sample) }
}

export function toHold({ account: _account, resource: _resource, sample, ...hold }: HoldRow): Hold {
  return { ...hold, sample: JSON.parse(sample) }
}

export function quietPassesAfter(verdict: HoldVerdict): number {
  return verdict === 'reject' ? QUIET_PASSES_AFTER_REJECTION : 0
}

export function judgedMeanwhile(account: string, resource: RecordResource): ShipbellError {
  return new ShipbellError(
    'store_conflict',
    `The held removals of ${resource} of account ${account} were judged meanwhile: read the verdict again.`,
  )
}

/** The ids of a hold that are shown. */
const SAMPLE_SIZE = 20

interface UnprovedRow extends RowOf<typeof TABLES.unproved> {
  /** Records that the list has. */
  readonly known: number
}

/** Records of a list that wait for a person, or for the pass that removes them, as one hold for each. Rows come by id. */
function unprovedHolds(rows: readonly UnprovedRow[]): readonly HeldList[] {
  const groups = Map.groupBy(rows, ({ account, resource, verdict }) => JSON.stringify([account, resource, verdict]))
  return [...groups.values()].flatMap((group): readonly HeldList[] => {
    const [first] = group
    if (first === undefined) return []
    const { account, known, resource, verdict } = first
    const since = group.reduce((least, row) => Math.min(least, row.since), first.since)
    const sample = group.slice(0, SAMPLE_SIZE).map(({ id }) => id)
    return [
      { account, resource, reason: 'unproved', since, known, missing: group.length, sample, verdict, quietPasses: 0 },
    ]
  })
}

function key({ account, resource }: HeldList): string {
  return `${account}\n${resource}`
}

/**
 * All holds by account and resource, that of the whole list first. Left out are those that were rejected: they wait to be confirmed or
 * forgotten, nobody has to act on them.
 */
export function heldLists<Source>({ all }: Dialect<Source>): (source: Source) => Lookup<readonly HeldList[]> {
  const isOpen = `verdict IS NULL OR verdict <> 'reject' ORDER BY account, resource`
  const holds = all<HoldRow>(`SELECT ${TABLES.holds.selected()} FROM holds WHERE ${isOpen}`)
  const unproved = all<UnprovedRow>(`
    SELECT ${TABLES.unproved.selected()}, coalesce(records, 0) AS known
    FROM unproved LEFT JOIN list_sizes USING (account, resource) WHERE ${isOpen}, id`)
  return function* (source) {
    const held = [...(yield* holds(source)).map(toHeldList), ...unprovedHolds(yield* unproved(source))]
    return held.toSorted((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other))))
  }
}
