import { formatInstant } from '../model/instant.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'

/** What to add, after a space, where an id is not found: ids are not kept when their rows go. Empty where none ever went. */
export async function droppedWords(store: Pick<LogQueryStore, 'logEnds'>): Promise<string> {
  const { droppedTo: to } = await store.logEnds()
  return to === null ? '' : ` (what ended until ${formatInstant(to)} was dropped: retention.ledger)`
}
