import type { HoldVerdict, PassDoubt } from '../../model/hold.ts'
import type { LearntUnit } from '../../model/learnt.ts'
import type { RecordResource } from '../../model/resource.ts'
import { INTEGER, INTEGER_OR_NULL, REAL, Table, text, textOrNull } from './table.ts'

/** What a pass leaves of its list; what is reported of its answers stands in columns that are written alone. */
export const LISTS = new Table('lists', ['account', 'resource'], {
  account: text(),
  resource: text<RecordResource>(),
  pass: INTEGER,
  pass_started_at: INTEGER_OR_NULL,
  completed_at: INTEGER_OR_NULL,
  baselined_at: INTEGER_OR_NULL,
  largest_page: INTEGER,
  end_probed_at: INTEGER_OR_NULL,
  end_skip: INTEGER_OR_NULL,
  shipment_id_field: textOrNull(),
  baseline_pass: INTEGER_OR_NULL,
  fetch_works: INTEGER,
  absorbed: text(),
  twins: text(),
  gaps: text(),
})

export const HOLDS = new Table('holds', ['account', 'resource'], {
  account: text(),
  resource: text<RecordResource>(),
  reason: text<PassDoubt>(),
  since: INTEGER,
  known: INTEGER,
  missing: INTEGER,
  sample: text(),
  verdict: textOrNull<HoldVerdict>(),
  quiet_passes: INTEGER,
})

export const LEARNT = new Table('learnt', ['account', 'resource', 'what', 'name'], {
  account: text(),
  resource: text<LearntUnit['resource']>(),
  what: text<LearntUnit['what']>(),
  name: text(),
  changes: REAL,
  expected: REAL,
  at: INTEGER,
  mix: textOrNull(),
})
