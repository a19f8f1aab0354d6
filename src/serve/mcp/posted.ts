import type { Posted } from '../admin-context.ts'

/** The headers that say something of a message: of the others only the guard knows. */
const KNOWN = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

export function postedOf(headers: Headers, body: string): Posted {
  const known = KNOWN.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { body, headers: Object.fromEntries(known) }
}
