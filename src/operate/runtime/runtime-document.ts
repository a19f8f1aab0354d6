import type { JsonObject } from '../../model/json.ts'
import type { RuntimeSubscription } from '../../model/runtime-subscription.ts'
import { seal, unseal } from './sealing.ts'

/** What signs a subscription made at run time. */
interface SigningSecret {
  readonly secret: string
  /** When it signs beside the newest for the last time; null: it is the newest. */
  readonly until: number | null
}

/** A subscription made at run time, opened. */
export interface RuntimeDocument {
  /** All its keys, by the names that the file has of them. */
  readonly keys: JsonObject
  /** The newest first. */
  readonly secrets: readonly SigningSecret[]
}

/** The keys that may hold secrets: nothing else of a subscription says more than what it hears. */
const HIDDEN = new Set(['url', 'headers'])

/** What of a document the store keeps in clear, so that commands without the key can show it, and what it keeps encrypted. */
export function stored(
  { keys, secrets }: RuntimeDocument,
  by: { readonly key: string; readonly name: string },
): Pick<RuntimeSubscription, 'settings' | 'sealed' | 'ordered'> {
  const part = (isHidden: boolean): JsonObject =>
    Object.fromEntries(Object.entries(keys).filter(([key]) => HIDDEN.has(key) === isHidden))
  return {
    settings: JSON.stringify(part(false)),
    sealed: seal(JSON.stringify({ keys: part(true), secrets }), by),
    ordered: keys['order'] === 'subject' ? 1 : 0,
  }
}

/** Null: the key does not open it. */
export function opened({ name, sealed, settings }: RuntimeSubscription, key: string): RuntimeDocument | null {
  const text = unseal(sealed, { key, name })
  if (text === null) return null
  const { keys, secrets }: RuntimeDocument = JSON.parse(text)
  return { keys: { ...JSON.parse(settings), ...keys }, secrets }
}

const OVERLAP_MS = 86_400_000
/** What may sign beside the newest one: each is a signature in a header. */
const MOST_OLD = 9

/** The document with another secret, beside which the one before it signs for a day; null: too many do already. */
export function rotated({ keys, secrets }: RuntimeDocument, secret: string, now: number): RuntimeDocument | null {
  const old = signing(secrets, now).map(({ until, ...each }) => ({ ...each, until: until ?? now + OVERLAP_MS }))
  return old.length > MOST_OLD ? null : { keys, secrets: [{ secret, until: null }, ...old] }
}

/** The secrets that sign at an instant, the newest first. */
export function signing(secrets: readonly SigningSecret[], now: number): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now)
}

/** When the next of the secrets ends; null: none does. */
export function nextEnd(secrets: readonly SigningSecret[], now: number): number | null {
  const ends = signing(secrets, now).flatMap(({ until }) => until ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}
