import type { LiveConfig } from '../config/live-config.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { AccountSettings } from '../model/account.ts'
import type { Committer } from '../poll/committer.ts'
import { interfaceFields } from '../platform/schemas.ts'
import { AccountPoller, type AccountPollerOptions } from '../poll/account-poller.ts'
import { CreatedWatch } from '../poll/items/created-preparations.ts'
import { tenantOf } from '../poll/requests/tenant.ts'
import { AccountDocuments } from './account-documents.ts'
import type { AccountOpener } from './account-supervisor.ts'
import { connectPlatform, observedPlatform, type PlatformSurroundings } from './connect-platform.ts'
import { KeyLimiters } from './key-limiters.ts'
import { startPlaces } from './start-places.ts'

export type AccountSurroundings = Pick<
  AccountPollerOptions,
  'clock' | 'log' | 'random' | 'progress' | 'patience' | 'publicUrl'
> &
  PlatformSurroundings & {
    readonly telemetry: Telemetry
    readonly live: Pick<LiveConfig, 'config'>
    /** What commits the reads of an account that is opened now. */
    readonly committerOf: (account: AccountSettings) => Committer
  }

/** Opens accounts for polling. What was spent of a key's budget counts when an account of it is opened again. */
export function accountOpener(surroundings: AccountSurroundings): AccountOpener {
  const limiters = new KeyLimiters(surroundings)
  const fields = interfaceFields()
  const { live } = surroundings
  const publicUrl = (): string | null => live.config.http?.publicUrl ?? null
  const created = new CreatedWatch(surroundings.clock)
  const open: AccountOpener['open'] = (account, { afterMs, place }) => {
    const committer = surroundings.committerOf(account)
    const tenancy = limiters.join(account, tenantOf(account, committer))
    const platform = observedPlatform(connectPlatform(surroundings, account), account.name, surroundings.telemetry)
    const poller = new AccountPoller({
      ...surroundings,
      account,
      committer,
      tenancy,
      platform,
      fields,
      created,
      publicUrl,
      startAfterMs: afterMs,
      place,
    })
    const close = async (): Promise<void> => {
      tenancy[Symbol.dispose]()
      await platform[Symbol.asyncDispose]()
    }
    const { client } = poller
    const documents = new AccountDocuments({ ...surroundings, account, platform, client, tenancy })
    return { poller, documents, [Symbol.asyncDispose]: close }
  }
  const places: AccountOpener['places'] = (starting) => startPlaces(starting, live.config.accounts)
  return { places, open, opened: () => limiters.dropUnused() }
}
