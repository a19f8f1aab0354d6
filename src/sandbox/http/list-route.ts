import type { Context } from 'hono'
import type { Shelf } from '../world/shelf.ts'
import { readSlice } from './read-slice.ts'
import { refuse } from './refuse.ts'
import type { Served } from './served.ts'

/** Answers a page of a shelf. `emptyIs404`: only the shipments list says 404 where there is nothing to list, however little is asked for. */
export function listRoute(options: {
  readonly shelf: Shelf
  readonly now: () => number
  readonly rowShift: Served['rowShift']
  readonly emptyIs404?: string
}): (context: Context) => Response {
  const { shelf, now, rowShift, emptyIs404 } = options
  return (context) => {
    const slice = readSlice((name) => context.req.query(name))
    if ('problem' in slice) return refuse(context, 400, slice.problem)
    // Before the first page no row can have jumped anywhere.
    const skip = slice.skip === 0 ? 0 : Math.max(0, slice.skip + rowShift(context.req.raw))
    // `take=0` asks for none of what is there.
    const rows = shelf.page({ skip, take: Math.max(1, slice.take) }, now())
    if (rows.length === 0 && emptyIs404 !== undefined) return refuse(context, 404, emptyIs404)
    return context.json(rows.slice(0, slice.take))
  }
}
