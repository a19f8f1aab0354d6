import type { ExpectedRecord } from '../model/expectation.ts'
import type { QuarantinedRecord } from '../store/ports/log-query-port.ts'
import { englishAmount, type Need } from './need.ts'

/** Records of an account that a rule of an expectation fails on. */
export interface FailingRecords {
  readonly account: string
  readonly records: readonly ExpectedRecord[]
}

/** Each rule that fails on a record, with the first of them and why. */
export function unjudgedRules({ account, records }: FailingRecords): readonly Need[] {
  const failed = records.flatMap(({ failures, id, resource }) =>
    Object.entries(failures).map(([name, reason]) => ({ name, reason, id, resource })),
  )
  return [...Map.groupBy(failed, ({ name }) => name)].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return []
    const more = others.length === 0 ? '' : ` and ${englishAmount(others.length)} more`
    const what = `${account}: the expectation ${name} cannot be judged on ${first.resource} ${first.id}${more}: ${first.reason}`
    const remedy = `Mend its rule, and try it: \`shipbell expectations test ${name}\`.`
    return [{ kind: 'unjudged', urgent: false, account, what, remedy, page: `/accounts/${account}` }]
  })
}

/** Each account's records that cannot be understood. */
export function quarantinedByAccount(records: readonly QuarantinedRecord[]): readonly Need[] {
  return [...Map.groupBy(records, ({ account }) => account)].map(([account, { length }]) => ({
    kind: 'quarantined',
    urgent: false,
    account,
    what:
      length === 1
        ? `${account}: a record cannot be understood, and keeps its last good reading.`
        : `${account}: ${englishAmount(length)} records cannot be understood, and keep their last good reading.`,
    remedy: `\`shipbell events list --type account.record_rejected --account ${account}\` says why: tell the platform.`,
    page: `/accounts/${account}`,
  }))
}
