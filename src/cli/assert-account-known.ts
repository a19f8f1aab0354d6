import type { Store } from '../app.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'

/** Throws `usage` where the store knows accounts, but none of that name. Asked where nothing was found: it costs a scan. */
export async function assertAccountKnown(store: Store, name: string, now: number): Promise<void> {
  const names = (await store.accounts(now)).map(({ account }) => account)
  if (names.length === 0 || names.includes(name)) return
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `it knows ${names.join(', ')}.` : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `The store knows no account ${JSON.stringify(name)}: ${hint}`)
}
