import ipaddr from 'ipaddr.js'
import { isIn, METADATA, OPENABLE, type Network, judgeAddress } from '../model/address/judge-address.ts'
import { dialTargets } from '../model/address/dial-targets.ts'

/** Why a network of `allow_networks` does not mean what it says, in one sentence; null where it does. */
export function networkWarning(text: string): string | null {
  const network = ipaddr.parseCIDR(text)
  const openable = OPENABLE.flatMap(({ networks }) => networks)
  const wide = openable.filter((each) => contains(network, each) && network[1] < each[1])
  if (wide.length > 0)
    return `\`${text}\` opens all of ${wide.map(shown).join(', ')}: name only the networks of your receivers; link-local, metadata, multicast and reserved addresses stay closed`
  const overlaps = openable.some((each) => contains(network, each) || contains(each, network))
  if (overlaps && !METADATA.networks.some((each) => contains(each, network))) return null
  const holdsIpv4 = network[0].kind() === 'ipv6' && dialTargets(network[0]).some((target) => target.kind() === 'ipv4')
  return holdsIpv4
    ? `\`${text}\` opens nothing: IPv4 inside IPv6 is judged as IPv4, so name the IPv4 network`
    : `\`${text}\` opens nothing: public addresses are open anyway, and link-local, metadata, multicast and reserved ones stay closed`
}

function contains(outer: Network, inner: Network): boolean {
  return outer[1] <= inner[1] && isIn(inner[0], outer)
}

function shown([address, bits]: Network): string {
  return `${address.toString()}/${bits}`
}

/**
 * Why every attempt to a literal address will be refused; null where it may pass. Names are judged where
 * they are dialled; of them only `localhost` and what ends in it (RFC 6761 section 6.3) are known here.
 */
export function refusedTarget(url: string, allowNetworks: readonly string[]): string | null {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const literals = /^(.+\.)?localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : [host]
  if (!literals.every((literal) => ipaddr.isValid(literal))) return null
  const refusals = literals.map((literal) => refusal(literal, allowNetworks))
  return refusals.includes(null) ? null : (refusals[0] ?? null)
}

function refusal(literal: string, allowNetworks: readonly string[]): string | null {
  const verdict = judgeAddress(literal, allowNetworks)
  return verdict.allowed ? null : `${literal} ${verdict.rule}`
}
