import type { Context } from 'hono'
import type { JsonObject } from '../../model/json.ts'
import type { Shelf, Slice } from '../world/shelf.ts'
import type { World } from '../world/world.ts'

/** What the endpoints are about: a world, and the simulated time it is looked at. */
export interface Served {
  readonly world: World
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** By how many rows the list of a request has shifted since its first page (`--faults`); 0: none. */
  readonly rowShift: (request: Request) => number
}

type Showing = (record: JsonObject, context: Context) => JsonObject

/** Answers a page of a shelf. `emptyIs404`: only the shipments list says 404 where there is nothing to list, however little is asked for. */
export function listRoute(options: {
  readonly shelf: Shelf
  readonly now: () => number
  readonly rowShift: Served['rowShift']
  readonly emptyIs404?: string
  /** How a record is shown to who asks; left out: as it is. */
  readonly shown?: Showing
}): (context: Context) => Response {
  const { shelf, now, rowShift, emptyIs404, shown } = options
  return (context) => {
    const slice = readSlice((name) => context.req.query(name))
    if ('problem' in slice) return refuse(context, 400, slice.problem)
    // Before the first page no row can have jumped anywhere.
    const skip = slice.skip === 0 ? 0 : Math.max(0, slice.skip + rowShift(context.req.raw))
    // `take=0` asks for none of what is there.
    const rows = shelf.page({ skip, take: Math.max(1, slice.take) }, now())
    if (rows.length === 0 && emptyIs404 !== undefined) return refuse(context, 404, emptyIs404)
    const taken = rows.slice(0, slice.take)
    return context.json(shown === undefined ? taken : taken.map((row) => shown(row, context)))
  }
}

/** Answers one record by the path's `:id`, percent-decoded. */
export function itemRoute(options: {
  readonly shelf: Pick<Shelf, 'find'>
  readonly now: () => number
  /** What the record is called in an error. */
  readonly what: string
  readonly shown?: Showing
}): (context: Context) => Response {
  const { shelf, now, shown, what } = options
  return (context) => {
    const id = context.req.param('id') ?? ''
    const record = shelf.find(id, now())
    return record === null
      ? refuse(context, 404, `There is no ${what} ${JSON.stringify(id.slice(0, 200))}.`)
      : context.json(shown === undefined ? record : shown(record, context))
  }
}

const DEFAULT_TAKE = 10
const LARGEST_TAKE = 100

/** `skip` and `take` of a list, `take` clamped to 100; or the sentence that says what is wrong with them. */
function readSlice(query: (name: string) => string | undefined): Slice | { readonly problem: string } {
  const skip = readCount('skip', query('skip') ?? '0')
  const take = readCount('take', query('take') ?? String(DEFAULT_TAKE))
  if (typeof skip === 'string') return { problem: skip }
  if (typeof take === 'string') return { problem: take }
  return { skip, take: Math.min(take, LARGEST_TAKE) }
}

function readCount(name: string, text: string): number | string {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  return `The query parameter ${name} must be a whole number of 0 or more, not ${JSON.stringify(text.slice(0, 40))}.`
}

type Refusal = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500

/** The body of every error: an object with one readable sentence. */
export function refuse(context: Context, status: Refusal, message: string): Response {
  return context.json({ error: { status, message } }, status)
}
