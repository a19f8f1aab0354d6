import ipaddr from 'ipaddr.js'
import type { Address } from './dial-targets.ts'

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
