import ipaddr from 'ipaddr.js'

type IPv4 = ipaddr.IPv4
type IPv6 = ipaddr.IPv6

/**
 * The IPv4 addresses that a packet to this IPv6 address may end up at: a translator or tunnel unwraps them on the way, so
 * they are judged in its place. Empty where it embeds none.
 *
 * Mapped and compatible (RFC 4291 section 2.5.5), IPv4-translated (RFC 6145), NAT64 (RFC 6052 section 2.2 and RFC 8215,
 * whose prefix length is the network's choice: every layout that
 * gives an address is read), 6to4 (RFC 3056), Teredo (RFC 4380: server and client).
 */
export function embeddedIpv4(address: IPv6): readonly IPv4[] {
  const bytes = address.toByteArray()
  const at = (...places: readonly number[]): IPv4 => new ipaddr.IPv4(places.map((place) => bytes[place] ?? 0))
  const last = (): IPv4 => at(12, 13, 14, 15)
  if (within(address, '::/96')) return isUnspecifiedOrLoopback(address) ? [] : [last()]
  if (within(address, '::ffff:0:0/96') || within(address, '::ffff:0:0:0/96')) return [last()]
  if (within(address, '64:ff9b::/96')) return [last()]
  if (within(address, '64:ff9b:1::/48')) {
    const layouts = [last(), at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)]
    const used = layouts.filter(({ octets }) => octets[0] !== 0)
    return used.length === 0 ? [last()] : used
  }
  if (within(address, '2002::/16')) return [at(2, 3, 4, 5)]
  if (within(address, '2001::/32')) return [at(4, 5, 6, 7), inverted(last())]
  return []
}

function within(address: IPv6, network: string): boolean {
  return address.match(ipaddr.IPv6.parseCIDR(network))
}

function isUnspecifiedOrLoopback(address: IPv6): boolean {
  return within(address, '::/127')
}

function inverted(address: IPv4): IPv4 {
  return new ipaddr.IPv4(address.octets.map((octet) => octet ^ 0xff))
}
