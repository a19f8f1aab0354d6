import ipaddr from 'ipaddr.js'
import { embeddedIpv4 } from './embedded-ipv4.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly rule: string }

/** What an operator may open with `allow_networks`; everything else that is not public stays closed. */
const OPENABLE: ReadonlyMap<string, string> = new Map([
  ['loopback', 'a loopback address'],
  ['private', 'a private address'],
  ['uniqueLocal', 'a private address'],
  ['carrierGradeNat', 'a carrier-grade NAT address'],
])

const CLOSED: ReadonlyMap<string, string> = new Map([
  ['linkLocal', 'a link-local address'],
  ['multicast', 'a multicast address'],
  ['unspecified', 'an unspecified address'],
  ['broadcast', 'the broadcast address'],
])

/** Cloud metadata services outside the link-local networks: AWS, Google, Oracle, Scaleway, Alibaba, Azure. */
const METADATA = [
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.169.254/32',
  '169.254.170.2/32',
].map((network) => ipaddr.parseCIDR(network))

/** The only IPv6 space that is given out for the public internet (RFC 4291 section 2.4, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address may be dialled (contract section 6). Link-local, metadata, multicast, reserved and unspecified
 * addresses never; private and loopback ones where one of `allowNetworks` (CIDRs) holds them. IPv4 inside IPv6 is judged
 * as the IPv4 it is. `rule` completes "the address is …".
 */
export function judgeAddress(address: string, allowNetworks: readonly string[]): Verdict {
  if (!ipaddr.isValid(address)) return refuse('not an IP address')
  const dialled = ipaddr.parse(address)
  const targets = dialled instanceof ipaddr.IPv6 ? embeddedIpv4(dialled) : []
  const [first, ...others] = targets.length === 0 ? [dialled] : targets
  if (first === undefined) return refuse('not an IP address')
  return [first, ...others].map((target) => judgeTarget(target, allowNetworks)).find(isRefusal) ?? { allowed: true }
}

function judgeTarget(target: Address, allowNetworks: readonly string[]): Verdict {
  if (METADATA.some((network) => matches(target, network))) return refuse('a metadata service, which is never dialled')
  const range = target.range()
  if (range === 'unicast') {
    const isPublic = target.kind() === 'ipv4' || matches(target, GLOBAL_UNICAST)
    return isPublic ? { allowed: true } : refuse('a reserved address, which is never dialled')
  }
  const openable = OPENABLE.get(range)
  if (openable === undefined) return refuse(`${CLOSED.get(range) ?? 'a reserved address'}, which is never dialled`)
  const opened = allowNetworks.some((network) => matches(target, ipaddr.parseCIDR(network)))
  return opened ? { allowed: true } : refuse(`${openable} that delivery.allow_networks does not name`)
}

function matches(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function isRefusal(verdict: Verdict): boolean {
  return !verdict.allowed
}

function refuse(rule: string): Verdict {
  return { allowed: false, rule }
}
