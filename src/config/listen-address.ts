import ipaddr from 'ipaddr.js'
import { z } from 'zod'

export interface ListenAddress {
  /** Without the brackets of IPv6. */
  readonly host: string
  readonly port: number
}

const EXPECTED = 'must be HOST:PORT, such as 127.0.0.1:8484 or [::1]:8484 (port 0: any free one)'

export const listenAddress: z.ZodType<ListenAddress> = z.string({ error: EXPECTED }).transform((text, context) => {
  const [, ipv6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = ipv6 ?? name
  const valid = ipv6 === undefined || ipaddr.IPv6.isValid(ipv6)
  if (host !== undefined && valid && Number(port) <= 65_535) return { host, port: Number(port) }
  context.addIssue(EXPECTED)
  return z.NEVER
})

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}
