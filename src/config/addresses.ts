import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { ProxySettings } from '../model/subscription.ts'
import { serverSecrets } from './channel-secrets.ts'
import { flag } from './values.ts'

const URL_EXPECTED = 'must be a URL such as https://erp.example/hooks'

/** An http or https URL without user name, password and fragment, normalised. */
export const httpUrl = z.string(URL_EXPECTED).transform((text, context) => {
  const url = URL.parse(text)
  const wrong = url === null ? URL_EXPECTED : whatIsWrong(url)
  if (url !== null && wrong === null) return url.href
  context.addIssue(wrong ?? URL_EXPECTED)
  return z.NEVER
})

/** The address of a platform: paths are appended, so it has no query, and no slash at its end. */
export const baseUrl = httpUrl
  .refine((url) => !url.includes('?'), 'must not have a query: paths such as /v1/shipments are appended')
  .transform((url) => url.replace(/\/+$/, ''))

/** Where people find this program: no path, because its pages are at the root of their host. */
export const publicUrl = httpUrl
  .refine((url) => new URL(url).pathname === '/' && !url.includes('?'), 'must not have a path: pages are at its root')
  .transform((url) => new URL(url).origin)

const RECORD_ADDRESS = 'must be a URL with {id} in its path, such as https://platform.example/s/{id}'

/** A template of the address at which people see a record: `{id}` stands for its id, anywhere but in the host. */
export const recordAddress = z
  .string(RECORD_ADDRESS)
  .refine(isRecordAddress, { error: RECORD_ADDRESS, abort: true })
  .superRefine((text, context) => {
    const [unknown] = text.replaceAll('{id}', '').match(/\{[^{}]*\}|[{}]/) ?? []
    if (unknown === undefined) return
    context.addIssue(`has ${unknown}, which stands for nothing: {id} alone is replaced (a brace is %7B or %7D)`)
  })

function isRecordAddress(text: string): boolean {
  const [url, other] = ['1', '2'].map((id) => URL.parse(text.replaceAll('{id}', id)))
  if (url == null || other == null || url.href === other.href || url.origin !== other.origin) return false
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
}

function whatIsWrong(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return url.hash === '' ? null : 'must not have a fragment (`#…`): it is never sent'
}

const MAIL_SERVER =
  'must be a mail server such as smtps://user:password@mail.example:465, the password percent-encoded (`#` is %23)'

/** smtp:// (STARTTLS where the server offers it) or smtps://. */
export const smtpUrl = z.string(MAIL_SERVER).refine((text) => {
  const url = URL.parse(text)
  return url !== null && isMailServer(url)
}, MAIL_SERVER)

/** A `#`, `/` or `?` of a password that is not percent-encoded would end the host: refused, not misread. */
function isMailServer({ protocol, hostname, pathname, search, hash, port, username, password }: URL): boolean {
  const isBare = /^\/?$/.test(pathname) && search === '' && hash === ''
  return /^smtps?:$/.test(protocol) && hostname !== '' && isBare && port !== '0' && (username !== '' || password === '')
}

const MAILBOX = 'must be a mail address such as ap@example.com'

/** One mailbox, bare: no display name, nothing that could begin another header or address. */
export const mailAddress = z
  .string(MAILBOX)
  .max(254, MAILBOX)
  .regex(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u, MAILBOX)

const NETWORKS = 'must list networks such as 10.0.0.0/8 or fd00::/8'

/** A CIDR; IPv4 in four decimal parts. */
export const network = z.string(NETWORKS).refine(isNetwork, NETWORKS)

function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const family = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return family && /^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(text)
}

const LISTEN = 'must be HOST:PORT, such as 127.0.0.1:8484 or [::1]:8484 (port 0: any free one)'

/** The host comes without the brackets of IPv6. */
export const listenAddress = z.string(LISTEN).transform((text, context) => {
  const [, ipv6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = ipv6 ?? name
  const valid = ipv6 === undefined || ipaddr.IPv6.isValid(ipv6)
  if (host !== undefined && valid && Number(port) <= 65_535) return { host, port: Number(port) }
  context.addIssue(LISTEN)
  return z.NEVER
})

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

const PROXY =
  'must be an HTTP proxy such as http://user:password@proxy.example:3128, the password percent-encoded (`#` is %23)'

/** The address of an HTTP proxy. */
export const proxyAddress = z.string(PROXY).refine((text) => isProxy(URL.parse(text)), PROXY)

function isProxy(url: URL | null): boolean {
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return false
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** The keys of every channel that speaks HTTP. */
export const proxyKeys = {
  proxy: proxyAddress
    .optional()
    .describe('HTTP proxy that everything for it is sent through: `http[s]://user:password@host:port`.'),
  allow_unresolved: flag
    .prefault(false)
    .describe('Whether the proxy is asked also for a host that this machine cannot resolve, and so cannot judge.'),
}

export interface ProxyKeys {
  readonly proxy?: string | undefined
  readonly allow_unresolved?: boolean
}

/** The proxy that the keys name; null: none. */
export function proxyOf({ proxy, allow_unresolved: allowUnresolved = false }: ProxyKeys): ProxySettings | null {
  return proxy === undefined ? null : { address: proxy, allowUnresolved }
}

export function proxyMisfit({
  proxy,
  allow_unresolved,
}: ProxyKeys): { readonly key: string; readonly message: string } | null {
  if (proxy !== undefined || allow_unresolved !== true) return null
  return { key: 'allow_unresolved', message: '`allow_unresolved` is about what a proxy resolves: it needs `proxy`' }
}

/** What an answer may echo of the login at a proxy. */
export function proxySecrets(proxy: ProxySettings | null | undefined): readonly string[] {
  if (proxy == null) return []
  const { username, password } = new URL(proxy.address)
  const login = [username, password].map(decoded).join(':')
  return [...serverSecrets(proxy.address), ...(password === '' ? [] : [Buffer.from(login).toString('base64')])]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
