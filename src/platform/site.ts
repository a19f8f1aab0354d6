import { ShipbellError } from '../errors.ts'
import type { Exchange } from '../model/exchange.ts'
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
