import type { Clock } from '../../clock.ts'
import type { Config } from '../../config/config.ts'
import { LiveConfig } from '../../config/live-config.ts'
import { requireConfig, type LoadOptions } from '../../config/load-config.ts'
import { openIfMade } from '../open-storage.ts'
import { RuntimeFollower } from './runtime-follower.ts'

/**
 * The configuration with the subscriptions that were made at run time, for commands that name one. Throws `config_invalid`, and
 * `store_unusable` where such subscriptions are allowed and the store cannot be read.
 */
export async function requireWholeConfig(
  file: string,
  options: LoadOptions & { readonly clock: Clock },
): Promise<Config> {
  const config = requireConfig(file, options)
  if (config.runtimeSubscriptions === null) return config
  const { clock } = options
  await using store = await openIfMade(config.storage, { access: 'read', clock })
  if (store === null) return config
  const live = new LiveConfig(config)
  await new RuntimeFollower({ live, store, clock, changed: () => undefined }).look()
  return live.config
}
