import type { Clock } from '../clock.ts'
import type { AccountSettings } from '../model/account.ts'
import { createPlatformClient } from '../platform/client.ts'
import type { PlatformClient } from '../platform/platform-client.ts'
import { readVersion } from '../version.ts'

/** An account's platform, with the account's credentials. */
export function connectPlatform({ clock }: { readonly clock: Clock }, account: AccountSettings): PlatformClient {
  const { baseUrl, apiKey, timeoutMs, budget } = account
  const userAgent = `shipbell/${readVersion()}`
  return createPlatformClient({ baseUrl, apiKey, timeoutMs, concurrency: budget.concurrency, userAgent, clock })
}
