import type { LookupAddress } from 'node:dns'

/** Every address of a host name, in the order they are to be tried. Rejects where it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>
