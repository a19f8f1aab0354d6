import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { systemClock } from '../../clock.ts'
import { once } from '../../once.ts'
import { noteResolver } from './lookups.ts'
import { NameResolver, type Resolve } from './name-resolver.ts'

/** The range of public IPv6 addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The resolver of the process, made for the first name: who dials nothing but addresses reads no hosts file. */
const systemResolver = once((): NameResolver => {
  const made = new NameResolver({
    clock: systemClock,
    hosts: '/etc/hosts',
    resolvConf: '/etc/resolv.conf',
    hasIpv6: () => Object.values(networkInterfaces()).some((addresses) => addresses?.some(isGlobalIpv6)),
  })
  noteResolver(made)
  return made
})

/** Finds the addresses of a host name. All that dials shares what is known of names, and the places of look-ups. */
export const resolveSystemName: Resolve = async (hostname) => {
  return await systemResolver().resolve(hostname)
}

function isGlobalIpv6({ address, family, internal }: { address: string; family: string; internal: boolean }): boolean {
  return family === 'IPv6' && !internal && ipaddr.IPv6.parse(address).match(GLOBAL_UNICAST)
}
