import type { ListKey } from '../ports/list-port.ts'
import { ShipbellError } from '../../errors.ts'
import type { Hold } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { RowOf } from '../tables/table.ts'
import type { HOLDS } from '../tables/tables.ts'

export type HoldRow = RowOf<typeof HOLDS>

export function holdRowOf({ account, resource }: ListKey, hold: Hold): HoldRow {
  const { known, missing, quietPasses: quiet_passes, reason, sample, since, verdict } = hold
  return { account, resource, reason, since, known, missing, sample: JSON.stringify(sample), verdict, quiet_passes }
}

export function toHold(row: HoldRow): Hold {
  return {
    reason: row.reason,
    since: row.since,
    known: row.known,
    missing: row.missing,
    sample: JSON.parse(row.sample),
    verdict: row.verdict,
    quietPasses: row.quiet_passes,
  }
}

export function judgedMeanwhile(account: string, resource: RecordResource): ShipbellError {
  return new ShipbellError(
    'store_conflict',
    `The held removals of ${resource} of account ${account} were judged meanwhile: read the verdict again.`,
  )
}
