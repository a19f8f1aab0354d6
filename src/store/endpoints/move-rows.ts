import { type MoveKind, MOVES } from '../../ledger/follow.ts'
import { settingsSql } from '../deliveries/set-columns.ts'

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
