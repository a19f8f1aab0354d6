import { ShipbellError } from '../errors.ts'
import type { Exchange } from '../model/exchange.ts'
import { RESOURCES } from '../model/resource.ts'
import { masker } from '../redact.ts'

/** Where an account's platform is, and how to speak of it without showing the API key. */
export interface Site {
  /** `https://platform.example` */
  readonly origin: string
  /** `platform.example:8443`, for sentences. */
  readonly host: string
  /** Path that every path of the interface is appended to: `` or `/api`. */
  readonly prefix: string
  readonly excerpt: Excerpt
  /** `GET /v1/shipments?skip=0&take=100` */
  describe(exchange: Pick<Exchange, 'method' | 'path'>): string
}

const PATH_EXCERPT = 160

/** Throws `config_invalid` for a `base_url` that is not an http(s) address. */
export function siteOf(baseUrl: string, apiKey: string): Site {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ShipbellError('config_invalid', `base_url "${baseUrl}" is not an http or https address; correct it.`)
  }
  const excerpt = excerptWithout(apiKey)
  return {
    origin: url.origin,
    host: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
    excerpt,
    describe: ({ method, path }) => `${method} ${excerpt(path, PATH_EXCERPT)}`,
  }
}

/** Enough for any excerpt; a body may be 64 MiB. */
const LOOKED_AT = 16_384

/** The beginning of a text in at most `limit` printable characters. */
export type Excerpt = (text: string, limit: number) => string

/** Excerpts of what the platform said that never hold `secret`, not even a part of it. */
function excerptWithout(secret: string): Excerpt {
  const mask = masker(secret, '[api key]')
  return (text, limit) => {
    const isCut = text.length > LOOKED_AT + secret.length
    const head = mask(text.slice(0, LOOKED_AT + secret.length), isCut)
    // Part of a secret could remain at the cut, so what is cut is shortened by the length of the secret.
    const safe = isCut ? head.slice(0, -secret.length || undefined) : head
    const printable = safe.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
    return printable.length <= limit ? printable : `${printable.slice(0, limit - 1).toWellFormed()}…`
  }
}

/** The methods of the platform's interface. */
export type Method = 'GET' | 'POST' | 'PATCH'

interface InterfaceEndpoint {
  readonly method: Method
  /** `:id` stands for one path segment, percent-encoded. */
  readonly path: string
}

/** What the interface reads, as the table of resources has it. */
const READING: readonly InterfaceEndpoint[] = Object.values(RESOURCES).flatMap(({ item, list }) => [
  ...(list === null ? [] : [{ method: 'GET' as const, path: list }]),
  { method: 'GET', path: `${item}/:id` },
])

const WRITING: readonly InterfaceEndpoint[] = [
  { method: 'POST', path: '/v1/purchaseOrders' },
  { method: 'PATCH', path: '/v1/purchaseOrders' },
  { method: 'POST', path: '/v1/orderPreparations' },
]

/** Everything that the interface offers. */
const ENDPOINTS = [...READING, ...WRITING]

/** `/v1/shipments?skip=0&take=100` below the path prefix of `base_url`. */
export function listPath(list: string, page: { readonly skip: number; readonly take: number }): string {
  return `${list}?skip=${page.skip}&take=${page.take}`
}

/** `/v1/invoices/INV%202026%2F1`: identifiers hold spaces and slashes. */
export function itemPath(item: string, id: string): string {
  return `${item}/${encodeSegment(id)}`
}

function encodeSegment(id: string): string {
  // Dot segments would be normalised away on the route, and `encodeURIComponent` throws on a lone surrogate.
  return id === '.' || id === '..' ? id.replaceAll('.', '%2E') : encodeURIComponent(id.toWellFormed())
}

/** A call as it goes over the wire. */
export interface ResolvedCall {
  readonly method: Method
  /** With its query; what no request line can carry is percent-encoded. */
  readonly path: string
}

/**
 * The endpoint's call that a method (in any case) and a path (with or without `/v1`, with or without a query) mean; null
 * where the interface has no such endpoint.
 */
export function resolveCall(method: string, path: string): ResolvedCall | null {
  const [, address = '', query = ''] = /^([^?]*)(.*)$/s.exec(path.replaceAll('#', '%23')) ?? []
  const rooted = address.startsWith('/') ? address : `/${address}`
  const segments = (rooted.startsWith('/v1/') ? rooted : `/v1${rooted}`).split('/')
  const endpoint = ENDPOINTS.find((each) => each.method === method.toUpperCase() && fits(each, segments))
  return endpoint === undefined ? null : { method: endpoint.method, path: encodeUnsendable(segments.join('/') + query) }
}

function fits(endpoint: InterfaceEndpoint, segments: readonly string[]): boolean {
  const expected = endpoint.path.split('/')
  return (
    expected.length === segments.length &&
    expected.every((name, index) => (name === ':id' ? isId(segments[index] ?? '') : name === segments[index]))
  )
}

/** Dot segments, encoded or not, are folded away on the route and would end at another path. */
function isId(segment: string): boolean {
  return segment !== '' && !/^(?:\.|%2e){1,2}$/i.test(segment)
}

function encodeUnsendable(path: string): string {
  return path.toWellFormed().replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text))
}

/** Says which endpoints there are. */
export function unknownEndpoint(method: string, path: string): ShipbellError {
  const asked = JSON.stringify(`${method} ${path}`.slice(0, 200))
  const known = ENDPOINTS.map((endpoint) => `  ${endpoint.method.padEnd(5)} ${endpoint.path}`).join('\n')
  return new ShipbellError(
    'usage',
    `The platform has no endpoint ${asked}; it has these (:id is one segment, a slash inside it is written %2F):\n${known}`,
  )
}
