import type { RuntimeDisabledBy } from '../../model/runtime-subscription.ts'
import { INTEGER, INTEGER_OR_NULL, table, TEXT, TEXT_OR_NULL, textOrNull } from './table.ts'

/** Subscriptions that were made at run time. */
export const RUNTIME_TABLES = {
  runtime_subscriptions: table('runtime_subscriptions', ['name'], {
    name: TEXT,
    owner: TEXT_OR_NULL,
    settings: TEXT,
    sealed: TEXT,
    ordered: INTEGER,
    made_at: INTEGER,
    renewed_at: INTEGER,
    addressed_at: INTEGER,
    verified_at: INTEGER_OR_NULL,
    disabled_by: textOrNull<RuntimeDisabledBy>(),
    disabled_reason: TEXT_OR_NULL,
    disabled_at: INTEGER_OR_NULL,
    ended_at: INTEGER_OR_NULL,
    revision: INTEGER,
  }),
  runtime_revision: table('runtime_revision', [], { revision: INTEGER }),
}
