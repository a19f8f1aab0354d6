import { formatDuration } from '../model/duration.ts'
import type { SignatureScheme } from './signature-scheme.ts'

/** What receivers allow a signature to be older or newer than their clock (Standard Webhooks). */
const TOLERANCE_S = 300

export interface SignedRequest {
  readonly header: (name: string) => string | undefined
  /** The bytes as they came. */
  readonly body: Buffer
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

export type Verdict =
  | { readonly kind: 'verified' }
  /** `reason` in a few words; it may hold parts of the request. */
  | { readonly kind: 'unsigned' | 'wrong'; readonly reason: string }

/** Judges a Standard Webhooks signature, and says of a refused one what is wrong with it. */
export function verifySignature(scheme: SignatureScheme, { header, body, now }: SignedRequest): Verdict {
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !header(name))
  if (missing.length > 0) return { kind: 'unsigned', reason: `without ${missing.join(', ')}` }
  const timestamp = header('webhook-timestamp') ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return wrong('webhook-timestamp is not a number of seconds')
  const signatures = (header('webhook-signature') ?? '').split(' ').map((each) => each.split(',', 2))
  const own = signatures.filter(([version]) => version === scheme.version)
  if (own.length === 0) return wrong(`no ${scheme.version} signature among ${versionsOf(signatures)}`)
  const content = Buffer.concat([Buffer.from(`${header('webhook-id')}.${timestamp}.`), body])
  if (!own.some(([, text = '']) => scheme.fits(content, Buffer.from(text, 'base64')))) {
    return wrong('signed with another secret, or altered on the way')
  }
  return judgeAge(Math.floor(now / 1_000) - Number(timestamp))
}

function judgeAge(seconds: number): Verdict {
  if (Math.abs(seconds) <= TOLERANCE_S) return { kind: 'verified' }
  const off = formatDuration(Math.abs(seconds) * 1_000)
  const allowed = formatDuration(TOLERANCE_S * 1_000)
  return wrong(`${seconds > 0 ? `old timestamp: signed ${off} ago` : `timestamp ${off} ahead`}, ${allowed} are allowed`)
}

function versionsOf(signatures: readonly (readonly string[])[]): string {
  return signatures.map(([version = '']) => version).join(', ')
}

function wrong(reason: string): Verdict {
  return { kind: 'wrong', reason }
}
