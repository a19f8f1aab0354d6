import type { ExpectedRecord } from '../../model/expectation.ts'
import type { RecordResource } from '../../model/resource.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { ExpectedQuery } from '../ports/expectation-port.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

const SHOWN = TABLES.expectations.without('account')

export const EXPECTED_COLUMNS = SHOWN.selected()
export const RULE_COLUMNS = TABLES.expectation_rules.without('account').selected()

export type ExpectedRow = RowOf<typeof SHOWN>

export function toExpected({ failures, gone, states, ...row }: ExpectedRow): ExpectedRecord {
  return { ...row, isGone: gone === 1, states: JSON.parse(states), failures: JSON.parse(failures ?? '{}') }
}

export function expectedRow(account: string, { failures, isGone, states, ...record }: ExpectedRecord) {
  const failing = Object.keys(failures).length > 0
  return {
    account,
    ...record,
    gone: isGone ? 1 : 0,
    states: JSON.stringify(states),
    failures: failing ? JSON.stringify(failures) : null,
  }
}

/** When a read last showed a record changed; of what was stored before that was remembered, the last event of any kind stands for it. */
export const CHANGED_AT = `coalesce(changed_at,
  CASE WHEN seen_body IS NULL THEN NULL WHEN last_event_at > 0 THEN last_event_at ELSE first_seen_at END)`

/** What belongs to a shipment by its id … */
export const OF_SHIPMENT: readonly RecordResource[] = ['shipment', 'tracking']
/** … and by naming it. */
export const NAMING_SHIPMENT: readonly RecordResource[] = ['document', 'invoice', 'purchase_order']

/** How many records of a resource that name one shipment are looked at. */
export const MOST_RELATED = 1_000

export type ExpectationsChange = Omit<Extract<BatchChange, { readonly kind: 'expectations' }>, 'kind'>

const BEHIND = '(resource, id) > (:resource, :id)'

/** The statements of `ExpectationStore.expectedRecords`. `by`: which index is used, where that has to be said. */
export function expectedPages(by: (index: string) => string) {
  return {
    all: pageOf('', `AND ${BEHIND} ORDER BY resource, id`),
    failing: pageOf(by('expectations_failing'), `AND failures IS NOT NULL AND ${BEHIND} ORDER BY resource, id`),
    due: pageOf(
      by('expectations_due'),
      `AND due_at IS NOT NULL AND due_at <= :dueUntil AND (due_at, resource, id) > (:dueAt, :resource, :id)
        ORDER BY due_at, resource, id`,
    ),
  }
}

function pageOf(index: string, range: string): string {
  return `SELECT ${EXPECTED_COLUMNS} FROM expectations ${index} WHERE account = :account ${range} LIMIT :most`
}

export function pageValues(account: string, { after, most, which }: ExpectedQuery) {
  const place = { resource: after?.resource ?? '', id: after?.id ?? '' }
  const due = typeof which === 'string' ? {} : { dueUntil: which.dueUntil, dueAt: after?.dueAt ?? -1 }
  return { account, most, ...place, ...due }
}

export function pageName({ which }: ExpectedQuery): keyof ReturnType<typeof expectedPages> {
  return typeof which === 'string' ? which : 'due'
}
