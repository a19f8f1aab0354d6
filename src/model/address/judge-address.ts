import ipaddr from 'ipaddr.js'
import { dialTargets, type Address } from './dial-targets.ts'

export type Network = readonly [address: Address, bits: number]

interface NamedNetworks {
  /** Completes "the address is …". */
  readonly is: string
  readonly networks: readonly Network[]
}

/** What an operator may open with `allow_networks`. Carrier-grade NAT (RFC 6598) is where overlay and pod networks live. */
export const OPENABLE: readonly NamedNetworks[] = [
  named('a loopback address', '127.0.0.0/8', '::1/128'),
  named('a private address', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'),
  named('a carrier-grade NAT address', '100.64.0.0/10'),
]

/**
 * Cloud metadata services outside the link-local networks or famous within them: Azure, Alibaba, AWS, Google, Oracle,
 * Scaleway.
 */
export const METADATA = named(
  'a metadata service',
  '169.254.169.254/32',
  '169.254.170.2/32',
  '168.63.129.16/32',
  '100.100.100.200/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
)

export function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function named(is: string, ...networks: readonly string[]): NamedNetworks {
  return { is, networks: networks.map((network) => ipaddr.parseCIDR(network)) }
}

/** `rule` completes "the address …" and says what to do. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly rule: string }

const NEVER: ReadonlyMap<string, string> = new Map([
  ['linkLocal', 'a link-local address'],
  ['multicast', 'a multicast address'],
  ['unspecified', 'an unspecified address'],
  ['broadcast', 'the broadcast address'],
])

/** The only IPv6 space that is given out for the public internet (RFC 4291 section 2.4, IANA). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address may be dialled (contract section 6). Link-local, metadata, multicast, reserved and unspecified
 * addresses never; private and loopback ones where one of `allowNetworks` (CIDRs) holds them. IPv4 inside IPv6 is judged, and
 * has to be named, as the IPv4 it is.
 */
export function judgeAddress(address: string, allowNetworks: readonly string[]): Verdict {
  if (!ipaddr.isValid(address)) return { allowed: false, rule: 'is not an IP address' }
  const dialled = ipaddr.parse(address)
  const opened = allowNetworks.map((network) => ipaddr.parseCIDR(network))
  for (const target of dialTargets(dialled)) {
    const kind = whyClosed(target, opened)
    if (kind !== null) return { allowed: false, rule: ruleOf(kind, target, dialled) }
  }
  return { allowed: true }
}

interface Closed {
  /** Completes "the address is …". */
  readonly is: string
  readonly openable: boolean
}

function whyClosed(target: Address, opened: readonly Network[]): Closed | null {
  if (METADATA.networks.some((network) => isIn(target, network))) return { is: METADATA.is, openable: false }
  const openable = OPENABLE.find(({ networks }) => networks.some((network) => isIn(target, network)))
  if (openable !== undefined)
    return opened.some((network) => isIn(target, network)) ? null : { is: openable.is, openable: true }
  const range = target.range()
  const isPublic = range === 'unicast' && (target.kind() === 'ipv4' || isIn(target, GLOBAL_UNICAST))
  return isPublic ? null : { is: NEVER.get(range) ?? 'a reserved address', openable: false }
}

function ruleOf({ is, openable }: Closed, target: Address, dialled: Address): string {
  const what = target === dialled ? `is ${is}` : `holds ${target.toString()}, ${is}`
  if (!openable) return `${what}, which is never dialled: give another url`
  const network = `${target.toString()}/${target.kind() === 'ipv4' ? 32 : 128}`
  return `${what}, which is dialled only where delivery.allow_networks names it (${network})`
}
