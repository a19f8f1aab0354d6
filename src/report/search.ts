import type { JsonObject } from '../model/json.ts'
import { searchMatches } from '../model/search-matches.ts'
import { readSearch } from '../model/search-text.ts'
import { searchedTexts, type SearchedText } from '../model/searched-texts.ts'
import type { RecordStore } from '../store/ports/record-port.ts'
import type { RecordSummary } from '../store/ports/record-query-port.ts'

/** A record that a text finds, with the texts by which it does. */
export interface FoundRecord {
  readonly record: RecordSummary
  readonly matched: readonly SearchedText[]
}

/** By which of their texts records are found. What moved since they were found may be found by none. */
export async function matchedRecords(
  store: Pick<RecordStore, 'records'>,
  records: readonly RecordSummary[],
  q: string,
): Promise<readonly FoundRecord[]> {
  const search = readSearch(q)
  const lists = [...Map.groupBy(records, ({ account, resource }) => JSON.stringify([account, resource])).values()]
  const matched = await Promise.all(
    lists.map(async (list) => {
      const [first] = list
      if (first === undefined || search === null) return []
      const ids = list.map(({ id }) => id)
      const states = await store.records(first.account, first.resource, ids)
      return list.map((record) => {
        const texts = searchedTexts(record.resource, record.id, states.get(record.id)?.seen ?? null)
        return [record, searchMatches(search, texts)] as const
      })
    }),
  )
  const found = new Map(matched.flat())
  return records.map((record) => ({ record, matched: found.get(record) ?? [] }))
}

/** Longer texts are cut: the record itself has them whole. */
const LONGEST = 1_000

/** What is found as the API gives it. */
export function foundJson({ matched, record }: FoundRecord): JsonObject {
  const { account, id, name, resource } = record
  const texts = matched.map(({ field, text }) => ({ field, text: text.slice(0, LONGEST).toWellFormed() }))
  return { account, resource, id, name, matched: texts }
}
