import { RECORD_OF } from '../../model/resource.ts'
import type { ListContext } from '../poll-context.ts'
import type { PageShown } from './page-of-rows.ts'

/** What is compared and committed at once of a page that is larger. */
const SLICE_BYTES = 128 * 1024
const SLICE_ROWS = 100
/** Up to here a page is taken at once, whatever it shows. */
const SMALL_BYTES = 512 * 1024
const SMALL_ROWS = 300
/** Up to here it is looked whether little of a page has changed. */
const LOOKED_AT_ROWS = 2_000

/**
 * A page as it is taken: whole, or (where that would hold up everybody else) as if it had come in several answers, one behind
 * the other. Of a page in slices the same answer is not known again, until a pass finds that little of it has changed.
 */
export async function slicesOf(context: ListContext, shown: PageShown): Promise<readonly PageShown[]> {
  if (await mayBeTakenAtOnce(context, shown)) return [shown]
  const { exchange, page, place } = shown
  const { rows } = page
  const fitting = Math.floor((rows.length * SLICE_BYTES) / exchange.bytes)
  const size = Math.min(Math.max(fitting, 1), SLICE_ROWS)
  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => index * size)
  return starts.map((start) => {
    const own = rows.slice(start, start + size)
    const at = { ...place, skip: place.skip + start, rows: own.length, validator: null }
    return { ...shown, page: { ...page, rows: own }, before: null, place: at }
  })
}

/** Whether a page is small, or has changed little. */
export async function mayBeTakenAtOnce(context: ListContext, { exchange, page }: PageShown): Promise<boolean> {
  const { rows } = page
  if (rows.length <= SMALL_ROWS && exchange.bytes <= SMALL_BYTES) return true
  if (rows.length > LOOKED_AT_ROWS) return false
  const { account, committer, watch } = context
  const fresh = rows.flatMap((row) => (row.kind === 'record' && !row.isKnown ? [row] : []))
  const ids = fresh.map(({ id }) => id)
  const known = await committer.store.known(account.name, RECORD_OF[watch], ids)
  const changed = fresh.filter(({ contentHash, id }) => known.get(id)?.contentHash !== contentHash).length
  return changed <= SLICE_ROWS && changed * (exchange.bytes / rows.length) <= SMALL_BYTES
}
