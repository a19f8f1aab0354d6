import type { LookupAddress } from 'node:dns'

/** Every address of a host name, in the order they are to be tried. Rejects where it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/**
 * Asks for a name once at a time; who asks meanwhile gets that answer. Node lets the system's resolver have two threads of
 * the process, so the connections of one endpoint whose DNS hangs would keep every other endpoint from being resolved.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()
  return async (hostname) => {
    const answer = underWay.get(hostname) ?? resolve(hostname).finally(() => underWay.delete(hostname))
    underWay.set(hostname, answer)
    return await answer
  }
}
