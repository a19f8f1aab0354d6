import type { HeldList, HoldVerdict } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'

/** The ids of a hold that are shown. */
const SAMPLE_SIZE = 20

export interface UnprovedRow {
  readonly account: string
  readonly resource: RecordResource
  readonly id: string
  readonly since: number
  readonly verdict: HoldVerdict | null
  /** Records that the list has. */
  readonly known: number
}

/** Records of a list that wait for a person, or for the pass that removes them, as one hold for each. Rows come by id. */
export function unprovedHolds(rows: readonly UnprovedRow[]): readonly HeldList[] {
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

/** All holds by account and resource, that of the whole list first. */
export function inOrder(holds: readonly HeldList[]): readonly HeldList[] {
  return holds.toSorted((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other))))
}
