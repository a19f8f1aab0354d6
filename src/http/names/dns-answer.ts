import { isIPv6 } from 'node:net'
import type { LookupAddress } from 'node:dns'

/** What the DNS says of a name. */
export type DnsAnswer =
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[]; readonly ttlMs: number }
  /** The name is known to have no address. */
  | { readonly kind: 'unknown' }
  /** A server says that it cannot tell, or there is none: asking again may fare better. `reason` is a clause. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nobody answered in time. */
  | { readonly kind: 'hung' }

/** By the codes of c-ares, as Node spells them. */
export function answerOfFailure(code: string): DnsAnswer {
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EBADNAME':
      return { kind: 'unknown' }
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return { kind: 'hung' }
    case 'ECONNREFUSED':
      return { kind: 'failed', reason: 'no DNS server can be reached' }
    case 'ESERVFAIL':
      return { kind: 'failed', reason: 'the DNS server could not find it out (SERVFAIL)' }
    case 'EREFUSED':
      return { kind: 'failed', reason: 'the DNS server refuses to look it up (REFUSED)' }
    default:
      return { kind: 'failed', reason: `the DNS server did not answer in a way that can be used (${code})` }
  }
}

/**
 * Makes one answer of the two about the IPv4 and the IPv6 addresses of a name. What one of them found counts whatever became of
 * the other. If the other got no answer, it is kept for the shortest time.
 */
export function together(answers: readonly DnsAnswer[]): DnsAnswer {
  const found = answers.filter((each) => each.kind === 'found')
  if (found.length > 0) {
    const isWhole = answers.every(({ kind }) => kind === 'found' || kind === 'unknown')
    const addresses = found.flatMap((each) => each.addresses)
    return { kind: 'found', addresses, ttlMs: isWhole ? Math.min(...found.map(({ ttlMs }) => ttlMs)) : 0 }
  }
  return (
    answers.find(({ kind }) => kind === 'failed') ?? answers.find(({ kind }) => kind === 'hung') ?? { kind: 'unknown' }
  )
}

/** One family before the other, otherwise in the order of the answers. Whoever dials alternates between the families. */
export function inOrder(addresses: readonly LookupAddress[], ipv6First: boolean): readonly LookupAddress[] {
  return [true, false].flatMap((first) => addresses.filter(({ address }) => (isIPv6(address) === ipv6First) === first))
}
