import type { RecordKey } from '../../../store/ports/record-query-port.ts'

/** Where a view lies: its path, and what its query says. A view is a URL, and a link is the same view with something changed. */
export interface Address {
  readonly path: string
  readonly query: Query
}

/** The values of each name, in the order they were given. */
type Query = Readonly<Record<string, readonly string[]>>

/** More than any view has: every link of a page repeats them, so that a few thousand would make a page of megabytes. */
const MOST_VALUES = 64

/** The values of a query, or of the fields of a form, by their names; of too many the first. */
export function queryOf(given: URLSearchParams): Query {
  const query = new Map<string, string[]>()
  for (const [name, value] of [...given].slice(0, MOST_VALUES)) {
    const values = query.get(name)
    if (values === undefined) query.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(query)
}

/** Names of a query that say where in a list one is, and not what the list shows. */
export const PLACE = { cursor: null, before: null } as const

/** The address as a link, with some values set, or taken out by null. */
export function link(
  { path, query }: Address,
  changes: Readonly<Record<string, string | readonly string[] | null>> = {},
): string {
  const changed = new URLSearchParams()
  for (const [name, values] of Object.entries({ ...query, ...changes })) {
    for (const value of typeof values === 'string' ? [values] : (values ?? [])) {
      if (value !== '') changed.append(name, value.toWellFormed())
    }
  }
  return changed.size === 0 ? path : `${path}?${changed.toString()}`
}

/** The address with nothing said of a name. */
export function without({ path, query }: Address, name: string): Address {
  const { [name]: _, ...others } = query
  return { path, query: others }
}

/** The one value of a name; null where there is none, or an empty one, as an empty field of a form sends it. */
export function valueOf({ query }: Address, name: string): string | null {
  const value = query[name]?.[0]
  return value === undefined || value === '' ? null : value
}

/** All values of a name, each once, but for empty ones. */
export function valuesOf({ query }: Address, name: string): readonly string[] {
  return [...new Set(query[name])].filter((value) => value !== '')
}

export function recordPath({ account, id, resource }: RecordKey): string {
  const list = `/records/${resource}/${part(account)}/`
  return DOTS.has(id) ? `${list}?id=${id}` : `${list}${part(id)}`
}

/** Parts of a path that browsers fold away, encoded or not (WHATWG URL, "double-dot path segment"). */
const DOTS: ReadonlySet<string> = new Set(['.', '..'])

export function eventPath(id: string): string {
  return `/events/${part(id)}`
}

export function subscriptionPath(name: string): string {
  return `/subscriptions/${part(name)}`
}

export function accountPath(name: string): string {
  return `/accounts/${part(name)}`
}

/** One part of a path, whatever it holds. */
function part(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

export function deliveryPath(id: string): string {
  return `/deliveries/${part(id)}`
}

export function jobPath(id: string): string {
  return `/jobs/${part(id)}`
}
