import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Resolve } from './resolve.ts'

/** Has a socket ask `resolve` instead of the C library. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    void answer(hostname, resolve, (error, addresses) => {
      if (error !== null || all === true) callback(error, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

async function answer(
  hostname: string,
  resolve: Resolve,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
): Promise<void> {
  let outcome: LookupAddress[] | Error
  try {
    outcome = [...(await resolve(hostname))]
  } catch (error) {
    outcome = error instanceof Error ? error : new Error(String(error))
  }
  if (outcome instanceof Error) callback(outcome, [])
  else callback(null, outcome)
}
