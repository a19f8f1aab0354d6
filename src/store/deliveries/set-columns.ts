import type { Table } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import { type MoveKind, MOVES } from '../../ledger/follow.ts'

/** A value that a column is set to, or a statement's expression for it. */
type Setting = string | number | null | { readonly sql: string }

/** `a = 1, b = NULL`, in either dialect. */
export function settingsSql(settings: Readonly<Record<string, Setting>>): string {
  return Object.entries(settings)
    .map(([column, value]) => `${column} = ${sqlOf(value)}`)
    .join(', ')
}

function sqlOf(value: Setting): string {
  if (value === null) return 'NULL'
  if (typeof value === 'object') return value.sql
  return typeof value === 'string' ? `'${value}'` : String(value)
}

const INSTANTS = {
  now: { sql: ':at' },
  rang: { sql: '(SELECT stored_at FROM events WHERE events.ref = deliveries.event)' },
}

/** What a move sets of a row of `deliveries`, in either dialect; `:at` is when it is moved. */
export function settingsOf(kind: MoveKind): string {
  const settings = Object.entries(MOVES[kind]).map(
    ([column, value]) => [column, value !== null && typeof value === 'object' ? INSTANTS[value.is] : value] as const,
  )
  return settingsSql(Object.fromEntries(settings))
}

/** What attempts move of a row of the ledger. */
export const SENT_WITH_TURN = TABLES.deliveries.only(
  'ref turn state next_attempt_at wake_at finished_at attempts round last_status last_error not_before resumes_at',
)
export const SENT = SENT_WITH_TURN.without('ref', 'turn')

/** `a = :a, b = :b`, of all columns. */
export function boundSql({ columns }: Table<unknown>): string {
  return Object.keys(columns)
    .map((name) => `${name} = :${name}`)
    .join(', ')
}
