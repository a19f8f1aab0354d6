import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const EXPECTED = 'must list networks such as 10.0.0.0/8 or fd00::/8'

/** A CIDR; IPv4 in four decimal parts. */
export const network: z.ZodType<string> = z.string({ error: EXPECTED }).refine(isNetwork, EXPECTED)

function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const family = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return family && /^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(text)
}
