import { formatInstant } from '../model/instant.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

/** What to add, after a space, where an id is not found: ids are not kept when their rows go. Empty where none ever went. */
export async function droppedWords(store: Pick<QueryStore, 'droppedTo'>): Promise<string> {
  const to = await store.droppedTo()
  return to === null ? '' : ` (what ended until ${formatInstant(to)} was dropped: retention.ledger)`
}
