import { ShipbellError } from '../../errors.ts'
import type { Tenancy } from './account-client.ts'

/**
 * Sends a request to the origin of the platform that says nothing of its interface, a file for example: it counts against the budget of
 * the key, and comes behind all that polling needs. Rejects with the reason of `signal` where that aborts before.
 */
export async function askAside<T>(
  { limiter, tenant }: Tenancy,
  send: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const admission = await limiter.admit({ priority: 'spare', signal, losesPatience: () => false })
  if (admission.kind === 'deferred') throw new ShipbellError('internal', 'Whoever waits for ever was sent away.')
  try {
    await tenant.count({ at: admission.at, countForMs: limiter.longestMs }, null)
    return await send()
  } finally {
    admission.release()
  }
}
