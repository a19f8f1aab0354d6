import ipaddr from 'ipaddr.js'

/**
 * Why every attempt to a literal address will be refused (contract section 6); null where it may pass. Names are judged where
 * they are dialled; of them only `localhost` is known here.
 */
export function refusedTarget(url: string, allowNetworks: readonly string[]): string | null {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const literals = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  if (!literals.every((literal) => ipaddr.isValid(literal))) return null
  const refusals = literals.map((literal) => refusal(ipaddr.process(literal), allowNetworks))
  return refusals.includes(null) ? null : (refusals[0] ?? null)
}

/** Kinds of addresses that may be dialled where a network names them, and the word for each. */
const PERMITTABLE: Readonly<Record<string, string>> = {
  private: 'private',
  uniqueLocal: 'private',
  loopback: 'loopback',
}
const NEVER: ReadonlySet<string> = new Set(['linkLocal', 'multicast', 'unspecified', 'broadcast', 'reserved'])

function refusal(address: ipaddr.IPv4 | ipaddr.IPv6, allowNetworks: readonly string[]): string | null {
  const range = address.range()
  if (NEVER.has(range)) return `${address.toString()} is never dialled (${range})`
  const word = PERMITTABLE[range]
  if (word === undefined || allowNetworks.some((network) => contains(network, address))) return null
  return `${address.toString()} is a ${word} address, and \`delivery.allow_networks\` does not name its network`
}

function contains(network: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, bits] = ipaddr.parseCIDR(network)
  return base.kind() === address.kind() && address.match(base, bits)
}
