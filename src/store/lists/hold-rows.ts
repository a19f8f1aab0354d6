import { ShipbellError } from '../../errors.ts'
import type { Hold, HoldVerdict, PassDoubt } from '../../model/hold.ts'
import type { RecordResource } from '../../model/resource.ts'

export interface HoldRow {
  readonly account: string
  readonly resource: RecordResource
  readonly reason: PassDoubt
  readonly since: number
  readonly known: number
  readonly missing: number
  readonly sample: string
  readonly verdict: HoldVerdict | null
  readonly quiet_passes: number
}

export function holdColumns(hold: Hold) {
  const { known, missing, quietPasses, reason, sample, since, verdict } = hold
  return { reason, since, known, missing, sample: JSON.stringify(sample), verdict, quietPasses }
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
