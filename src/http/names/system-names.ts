import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { systemClock } from '../../clock.ts'
import { NameResolver } from './name-resolver.ts'

/** What public IPv6 addresses are answered from. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The one of the process: whoever dials, for whatever purpose, shares what it knows and the places that it has. */
export const systemNames = new NameResolver({
  clock: systemClock,
  hosts: '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
  hasIpv6: () => Object.values(networkInterfaces()).some((addresses) => addresses?.some(isGlobalIpv6)),
})

function isGlobalIpv6({ address, family, internal }: { address: string; family: string; internal: boolean }): boolean {
  return family === 'IPv6' && !internal && ipaddr.IPv6.parse(address).match(GLOBAL_UNICAST)
}
