/** A value that a column is set to, or a statement's expression for it. */
export type Setting = string | number | null | { readonly sql: string }

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
