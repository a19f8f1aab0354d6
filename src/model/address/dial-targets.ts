import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** IPv4-compatible, mapped (RFC 4291 section 2.5.5), IPv4-translated (RFC 6145), NAT64 (RFC 6052). */
const ENDS_IN_IPV4 = ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map(parsed)
const UNSPECIFIED_OR_LOOPBACK = parsed('::/127')
const LOCAL_NAT64 = parsed('64:ff9b:1::/48')
const SIX_TO_FOUR = parsed('2002::/16')
const TEREDO = parsed('2001::/32')

/**
 * Where a packet to this address may end up; never empty, and all of it is judged. IPv6 that embeds IPv4 counts as the IPv4
 * that a translator or tunnel unwraps on the way; besides the above: local NAT64 (RFC 8215, whose prefix length is the
 * network's choice, so every layout of RFC 6052 section 2.2 that gives an address is read), 6to4 (RFC 3056), Teredo (RFC 4380:
 * server and client). ISATAP (RFC 5214) hides IPv4 in an ordinary address, so both count.
 */
export function dialTargets(address: Address): readonly Address[] {
  if (address instanceof ipaddr.IPv4) return [address]
  const bytes = address.toByteArray()
  const at = (...places: readonly number[]): ipaddr.IPv4 => new ipaddr.IPv4(places.map((place) => bytes[place] ?? 0))
  const last = at(12, 13, 14, 15)
  if (address.match(UNSPECIFIED_OR_LOOPBACK)) return [address]
  if (ENDS_IN_IPV4.some((network) => address.match(network))) return [last]
  if (address.match(LOCAL_NAT64)) {
    const used = [last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)].filter(({ octets }) => octets[0] !== 0)
    return used.length === 0 ? [last] : used
  }
  if (address.match(SIX_TO_FOUR)) return [at(2, 3, 4, 5)]
  if (address.match(TEREDO)) return [at(4, 5, 6, 7), inverted(last)]
  return isIsatap(bytes) ? [address, last] : [address]
}

function parsed(network: string): [ipaddr.IPv6, number] {
  return ipaddr.IPv6.parseCIDR(network)
}

/** `::0:5efe:a.b.c.d` or, where the IPv4 is thought global, `::200:5efe:a.b.c.d` (RFC 5214 section 6.1). */
function isIsatap(bytes: readonly number[]): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

function inverted(address: ipaddr.IPv4): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.octets.map((octet) => octet ^ 0xff))
}
