import { z } from 'zod'
import type { MailServer } from '../model/subscription.ts'
import { smtpUrl } from './addresses.ts'
import { proxyAddress } from './proxy.ts'
import { tls, tlsOf } from './tls.ts'

/** The mail server: its URL alone, or with the way to it and whom to trust. */
export const mailServer = z.union([
  smtpUrl,
  z.strictObject({
    url: smtpUrl.describe('`smtp[s]://user:password@host:port`.'),
    proxy: proxyAddress
      .optional()
      .describe('HTTP proxy that mail is handed in through: it opens a tunnel (CONNECT) to the mail server.'),
    tls: tls.optional().describe('Authorities to trust and a client certificate.'),
  }),
])

/** Where mail goes, and how. */
export function mailServerOf(keys: z.output<typeof mailServer>): MailServer {
  if (typeof keys === 'string') return { server: keys }
  const { url, proxy, tls: pem } = keys
  // It is the operator's own: nobody judges it.
  return { server: url, tls: tlsOf(pem), proxy: proxy === undefined ? null : { address: proxy, allowUnresolved: true } }
}
