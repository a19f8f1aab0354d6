import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { systemClock } from '../../clock.ts'
import { NameResolver } from './name-resolver.ts'

/** The range of public IPv6 addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The resolver of the process. All that dials shares what it knows and its places. */
export const systemNames = new NameResolver({
  clock: systemClock,
  hosts: '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
  hasIpv6: () => Object.values(networkInterfaces()).some((addresses) => addresses?.some(isGlobalIpv6)),
})

function isGlobalIpv6({ address, family, internal }: { address: string; family: string; internal: boolean }): boolean {
  return family === 'IPv6' && !internal && ipaddr.IPv6.parse(address).match(GLOBAL_UNICAST)
}
