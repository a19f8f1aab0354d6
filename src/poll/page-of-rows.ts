import type { Exchange } from '../model/exchange.ts'
import type { JsonObject } from '../model/json.ts'
import type { Page } from '../platform/outcome.ts'

/** What one page showed, and the request that it answered. */
export interface PageOfRows {
  /** Records by id, each once: where one page holds a row twice, the last one stands. */
  readonly records: ReadonlyMap<string, JsonObject>
  /** Ids of rows that cannot be understood. */
  readonly rejectedIds: readonly string[]
  /** Ids that the pass has met before. */
  readonly metBefore: ReadonlySet<string>
  readonly exchange: Exchange
}

export function pageOfRows(page: Page, exchange: Exchange, met: ReadonlySet<string>): PageOfRows {
  const records = page.rows.filter((row) => row.kind === 'record')
  const rejected = page.rows.filter((row) => row.kind === 'rejected')
  return {
    records: new Map(records.map(({ id, record }) => [id, record])),
    rejectedIds: rejected.flatMap(({ id }) => (id === null ? [] : [id])),
    metBefore: new Set(records.map(({ id }) => id).filter((id) => met.has(id))),
    exchange,
  }
}

/** The same page with the records whose ids are wanted, and no other. */
export function onlyRecords(page: PageOfRows, wanted: (id: string) => boolean): PageOfRows {
  return { ...page, records: new Map([...page.records].filter(([id]) => wanted(id))) }
}
