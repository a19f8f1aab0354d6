import type { Config } from '../config/config.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import type { AccountSettings } from '../model/account.ts'

/** The account that a command is about: the one named, or the only one. Throws `usage` where neither says which. */
export function requireAccount({ file, accounts }: Config, name: string | undefined): AccountSettings {
  const names = accounts.map((each) => each.name)
  const [only] = accounts
  if (name === undefined) {
    if (only !== undefined && accounts.length === 1) return only
    throw new ShipbellError('usage', `${file} has several accounts: choose one with --account (${names.join(', ')}).`)
  }
  const account = accounts.find((each) => each.name === name)
  if (account !== undefined) return account
  const nearest = nearestName(name, names)
  const hint =
    nearest === undefined ? `it has ${names.length === 0 ? 'none' : names.join(', ')}.` : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `${file} has no account ${JSON.stringify(name)}: ${hint}`)
}
