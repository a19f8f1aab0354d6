import { domainToASCII } from 'node:url'

/**
 * What all writings of one mail address have in common: the library that sends mail writes domains in small letters and in ASCII or not,
 * and puts quotation marks around some local parts, and names recipients so in what became of them.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const quoted = /^"(.*)"$/.exec(local)?.[1]
  return `${quoted?.replaceAll(/\\(.)/g, '$1') ?? local}@${domainToASCII(domain) || domain.toLowerCase()}`
}
