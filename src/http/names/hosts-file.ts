import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'

/** Addresses by lower-case name, in the order of the file. */
export type HostsFile = ReadonlyMap<string, readonly LookupAddress[]>

/** The names of hosts(5): an address, its name and its aliases; a name on several lines has all their addresses. */
export function parseHostsFile(text: string): HostsFile {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const written of names) {
      const name = withoutRoot(written.toLowerCase())
      const known = hosts.get(name) ?? []
      if (known.every((each) => each.address !== address)) hosts.set(name, [...known, { address, family }])
    }
  }
  return hosts
}

/** `erp.example.` is `erp.example`, said to be whole. */
export function withoutRoot(name: string): string {
  return name.replace(/\.$/, '')
}
