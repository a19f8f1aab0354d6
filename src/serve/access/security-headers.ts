import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

/**
 * The policy of a page that shows a document of ours in a frame, such as a mail: the frame has the page's policy, so the very styles
 * of the document are allowed by their hashes, and no others.
 */
export function policyShowing(document: string): string {
  const elements = [...document.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, style = '']) => hashOf(style))
  const attributes = [...document.matchAll(/\sstyle="([^"]*)"/g)].map(([, style = '']) => hashOf(decoded(style)))
  const allowed = [...new Set([...elements, ...attributes])].slice(0, MOST_STYLES)
  const inAttributes = attributes.length === 0 ? [] : ["'unsafe-hashes'"]
  return CONTENT_SECURITY_POLICY.replace(
    "style-src 'self'",
    ["style-src 'self'", ...inAttributes, ...allowed].join(' '),
  )
}

/** More would make a header that proxies refuse. */
const MOST_STYLES = 60

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

function decoded(attribute: string): string {
  return attribute.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}

/** Pages load what this interface serves and nothing else; no script makes markup of text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

/** Whether an answer says something stricter of itself: the policy of a file is that of no page. */
function hasOwn(name: string, headers: Headers): boolean {
  return name === 'Content-Security-Policy' && headers.has(name)
}

/** On every answer. What says nothing else about it is kept by nobody. */
export function securityHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const { headers } = c.res
    for (const [name, value] of Object.entries(HEADERS)) if (!hasOwn(name, headers)) headers.set(name, value)
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store')
  }
}
