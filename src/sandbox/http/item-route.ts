import type { Context } from 'hono'
import type { Shelf } from '../world/shelf.ts'
import { refuse } from './refuse.ts'

/** Answers one record by the path's `:id`, percent-decoded. */
export function itemRoute(options: {
  readonly shelf: Pick<Shelf, 'find'>
  readonly now: () => number
  /** What it is called in an error. */
  readonly what: string
}): (context: Context) => Response {
  const { shelf, now, what } = options
  return (context) => {
    const id = context.req.param('id') ?? ''
    const record = shelf.find(id, now())
    return record === null
      ? refuse(context, 404, `There is no ${what} ${JSON.stringify(id.slice(0, 200))}.`)
      : context.json(record)
  }
}
