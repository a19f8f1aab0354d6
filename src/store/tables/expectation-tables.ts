import type { ExpectedSubject } from '../../model/expectation.ts'
import { INTEGER, INTEGER_OR_NULL, table, TEXT, text, TEXT_OR_NULL } from './table.ts'

/** What is expected of records. */
export const EXPECTATION_TABLES = {
  expectation_rules: table('expectation_rules', ['account', 'name'], {
    account: TEXT,
    name: TEXT,
    digest: TEXT,
    generation: INTEGER,
    since: INTEGER,
  }),
  expectations: table('expectations', ['account', 'resource', 'id'], {
    account: TEXT,
    resource: text<ExpectedSubject>(),
    id: TEXT,
    generation: INTEGER,
    gone: INTEGER,
    states: TEXT,
    failures: TEXT_OR_NULL,
    due_at: INTEGER_OR_NULL,
  }),
}
