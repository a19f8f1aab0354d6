import { isIPv6 } from 'node:net'
import type { LookupAddress } from 'node:dns'

/** What the DNS says of a name. */
export type DnsAnswer =
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[]; readonly ttlMs: number }
  /** It is known to have no address. */
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
 * The answers about the IPv4 and the IPv6 addresses of one name as one. What one of them found counts whatever became of the
 * other, but is kept for no longer than it must be where that is not known.
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

/** One family before the other, and otherwise as they came: who tries them goes from one family to the other. */
export function inOrder(addresses: readonly LookupAddress[], ipv6First: boolean): readonly LookupAddress[] {
  return [true, false].flatMap((first) => addresses.filter(({ address }) => (isIPv6(address) === ipv6First) === first))
}
