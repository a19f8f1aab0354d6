import type { TlsSettings } from '../model/subscription.ts'

const SENSITIVE_NAME = /auth|cookie|credential|key|passw|secret|signature|token/i
const SHORTEST_PART = 8
/** Long and with digits or capitals: a path segment like this is hardly the name of anything. */
const LONG_KEY = /^(?=.*[0-9A-Z]).{16,}$/
/** A path segment like this may be a key where the whole URL is kept out of the file. */
const KEY = /^(?=.*[0-9A-Z]).{8,}$/

/**
 * Whoever knows the path of an incoming webhook may post to it, and the key is its last part or, where it has a query, in
 * that.
 */
export function postingSecrets(url: string): readonly string[] {
  const parsed = new URL(url)
  const { href, pathname, search } = parsed
  const keys = search === '' ? [pathname.split('/').at(-1) ?? ''] : urlSecrets(parsed, [])
  return [url, href, pathname + search, pathname, ...keys].filter((text) => text.length >= SHORTEST_PART)
}

/** The password in a server's address. */
export function serverSecrets(url: string): readonly string[] {
  const { password } = new URL(url)
  return [password, decoded(password)].filter((text) => text !== '')
}

interface SignedPosting {
  readonly url: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** What of the URL and the headers came from variables and files. */
  readonly drawn: readonly string[]
  readonly tls: TlsSettings | null
}

/** The secrets of what is posted signed: its keys, and what else may be one. */
export function signedPostingSecrets({ secrets, headers, url, drawn, tls }: SignedPosting): readonly string[] {
  const sensitive = Object.entries(headers).filter(([name]) => SENSITIVE_NAME.test(name))
  const signing = secrets.flatMap((secret) => [secret, secret.replace(/^wh[a-z]+_/, '')])
  const parts = sensitive.flatMap(([, value]) => [
    value,
    ...value.split(' ').filter(({ length }) => length >= SHORTEST_PART),
    ...basicLogin(value),
  ])
  return [
    ...signing,
    ...parts,
    ...keyLines(tls?.key ?? ''),
    ...urlSecrets(new URL(url), drawn),
    ...drawnSecrets(drawn, url),
  ].filter((secret) => secret !== '')
}

/** The login that basic authentication carries, and its password. */
function basicLogin(value: string): readonly string[] {
  const [, encoded] = /^basic +([a-z0-9+/=_-]+)$/i.exec(value) ?? []
  if (encoded === undefined) return []
  const login = Buffer.from(encoded, 'base64').toString()
  return [login, login.slice(login.indexOf(':') + 1)]
}

/** The values of a URL's query, and path segments that look like keys. */
function urlSecrets(url: URL, drawn: readonly string[]): readonly string[] {
  const { host, pathname, password, searchParams, search } = url
  const isDrawn = drawn.some((text) => text.includes(`//${host}`))
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  const values = [...raw, ...searchParams.values()].filter(({ length }) => length >= SHORTEST_PART)
  const segments = pathname.split('/').filter((segment) => (isDrawn ? KEY : LONG_KEY).test(segment))
  return [
    decoded(password),
    ...(isDrawn ? [pathname + search] : []),
    ...values,
    ...segments.flatMap((segment) => [segment, decoded(segment)]),
  ]
}

/**
 * Drawn texts as they are and as a URL carries them. A host is no secret: where a variable names it, errors must still tell
 * it.
 */
function drawnSecrets(drawn: readonly string[], url: string): readonly string[] {
  const { origin, host } = new URL(url)
  const isPlace = (text: string): boolean => text.includes(host) || origin.includes(text.toLowerCase())
  return drawn.flatMap((text) => (isPlace(text) ? [] : [text, ...encoded(text.toWellFormed())]))
}

function encoded(text: string): readonly string[] {
  return [encodeURI(text), encodeURIComponent(text)]
}

/** A private key, line by line, because it may be shown with other line ends. */
export function keyLines(pem: string): readonly string[] {
  return pem.split(/\s*\n\s*/).filter((line) => line.length >= SHORTEST_PART && !line.startsWith('-----'))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
