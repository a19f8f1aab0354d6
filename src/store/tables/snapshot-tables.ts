import type { RecordResource } from '../../model/resource.ts'
import { INTEGER, INTEGER_OR_NULL, table, TEXT, text, TEXT_OR_NULL, textOrNull } from './table.ts'

/** The last run of each subscription that sends it every known record, and how far its parts are. */
export const SNAPSHOT_TABLES = {
  snapshot_runs: table('snapshot_runs', ['subscription'], {
    subscription: TEXT,
    run: TEXT,
    /** Null: all that the subscription hears of. */
    resource: textOrNull<RecordResource>(),
    begun_at: INTEGER,
    ended_at: INTEGER_OR_NULL,
    cancelled_at: INTEGER_OR_NULL,
  }),
  snapshot_parts: table('snapshot_parts', ['subscription', 'account', 'resource'], {
    subscription: TEXT,
    account: TEXT,
    resource: text<RecordResource>(),
    last_id: TEXT_OR_NULL,
    sent: INTEGER,
    left_out: INTEGER,
    ended_at: INTEGER_OR_NULL,
  }),
}
