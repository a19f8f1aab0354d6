import type { Exchange } from '../../model/exchange.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { Span } from '../../plan/list-gaps.ts'
import type { Page, Row, Unchanged } from '../../platform/outcome.ts'
import type { UnreadPage } from '../../platform/platform.ts'
import type { ListContext } from '../poll-context.ts'
import type { RequestOptions } from '../requests/account-client.ts'
import type { PageShown } from './page-of-rows.ts'

type HowBeside = Pick<RequestOptions, 'blame' | 'priority' | 'signal'>

/**
 * Asks once for rows beside the course of a pass, to learn something else than what they are. Their answer teaches what any answer
 * does, and takes no place in the list. Resolves to null where the request fails.
 */
export async function readBeside(
  { account, accountClient, platform, watch }: ListContext,
  { rows: take, skip }: Span,
  how: HowBeside,
): Promise<PageShown | null> {
  const request = { skip, take, shipmentIdField: account.shipmentIdField }
  const ask = async () => platform.list(RECORD_OF[watch], request, how.signal)
  const answer = await accountClient.ask(ask, { ...how, of: 'list', place: { watch, skip }, tries: 1 })
  if (answer.kind === 'failed') return null
  const { exchange, value } = answer
  return shownBeside(value, { exchange, skip })
}

/** Rows of an answer to a request that named nothing known, as a page without a place; null: they are not all there. */
export function shownBeside(
  value: Page | UnreadPage | Unchanged | null,
  { exchange, skip }: { readonly exchange: Exchange; readonly skip: number },
): PageShown | null {
  if (value === 'unchanged' || (value !== null && !('rows' in value))) return null
  const page = value ?? { rows: [], shipmentIdField: null, certainIdField: null }
  const { certainIdField, rows } = page
  const place = { skip, rows: rows.length, contentHash: '', rules: '', certainIdField, validator: null }
  return { page, exchange, place, before: null, wasJudged: false }
}

/** The page with the rows that are wanted. */
export function withRows(shown: PageShown, wanted: (row: Row) => boolean): PageShown {
  const rows = shown.page.rows.filter(wanted)
  return { ...shown, page: { ...shown.page, rows }, place: { ...shown.place, rows: rows.length } }
}
