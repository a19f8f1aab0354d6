import type { Connection } from './connection.ts'

/**
 * What the statements rely on, as a server has it unless somebody set it for the database or the role. All else they name themselves,
 * or is the operator's to choose.
 */
const RELIED: Readonly<Record<string, string>> = {
  array_nulls: 'on',
  exit_on_error: 'off',
  extra_float_digits: '1',
  lock_timeout: '0',
  'plpgsql.extra_errors': 'none',
  'plpgsql.variable_conflict': 'error',
  session_replication_role: 'origin',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
}

export type ShownSettings = Readonly<Record<string, string | null>>

/** The settings as a column of a statement. */
export const SHOWN_SETTINGS = `json_build_object(${Object.keys(RELIED)
  .map((name) => `'${name}', current_setting('${name}', true)`)
  .join(', ')})`

/**
 * Makes them so. A connection that leads straight to the server keeps them. Behind a pooler, which may hand each transaction to another
 * connection, each transaction begins with what differs.
 */
export async function relyOn(connection: Connection, shown: ShownSettings): Promise<void> {
  const differing = Object.entries(RELIED).filter(([name, value]) => (shown[name] ?? value) !== value)
  if (differing.length === 0) return
  const set = (how: 'SET' | 'SET LOCAL') => differing.map(([name, value]) => `${how} ${name} = '${value}'`).join('; ')
  if (connection.isDirect) await connection.script(set('SET'))
  else connection.settings = set('SET LOCAL')
}
