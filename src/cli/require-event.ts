import { ShipbellError } from '../errors.ts'
import { droppedWords } from '../report/dropped-words.ts'
import type { LogQueryStore } from '../store/ports/log-query-port.ts'

export interface NamedEvent {
  /** An id, the beginning of one, or `#` and a sequence. */
  readonly name: string
  readonly account: string | undefined
}

/** Enough to see how they differ. */
const SHOWN = 5

/** The id of the one event that is meant. Throws `not_found`, and `usage` where several are. */
export async function requireEvent(store: LogQueryStore, named: NamedEvent): Promise<string> {
  const id = await findEvent(store, named)
  if (id === null) throw await eventMissing(store, named.name)
  return id
}

/** The id of an event that is named; null where there is none. */
export async function findEvent(store: LogQueryStore, { account, name }: NamedEvent): Promise<string | null> {
  const ids = await store.eventsNamed(name, { limit: SHOWN + 1, ...(account !== undefined && { account }) })
  const [id] = ids
  if (id === undefined || ids.length === 1) return id ?? null
  const some = `${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ' …' : ''}`
  const remedy = name.startsWith('#') ? 'name its account with --account' : 'give more of its id'
  throw new ShipbellError('usage', `${JSON.stringify(name)} names several events: ${some}; ${remedy}.`)
}

export async function eventMissing(store: Pick<LogQueryStore, 'logEnds'>, name: string): Promise<ShipbellError> {
  return new ShipbellError(
    'not_found',
    `There is no event ${JSON.stringify(name)}${await droppedWords(store)}: \`shipbell events list\` shows them.`,
  )
}
