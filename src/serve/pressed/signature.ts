import { createHmac, timingSafeEqual } from 'node:crypto'

/** Slack signs afresh whatever it sends: what is older was kept by somebody. */
const OLDEST_MS = 5 * 60_000

/** A request as Slack signs it. */
export interface SignedRequest {
  /** The bytes as they came. */
  readonly body: Uint8Array
  /** `x-slack-request-timestamp`, in seconds. */
  readonly timestamp: string
  /** `x-slack-signature`: `v0=` and the digest in hexadecimal. */
  readonly signature: string
}

/** Whether Slack signed a request, a few minutes ago at most. */
export function isSigned({ body, signature, timestamp }: SignedRequest, secret: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > OLDEST_MS) return false
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const [expected, shown] = [Buffer.from(`v0=${digest}`), Buffer.from(signature)]
  return expected.length === shown.length && timingSafeEqual(expected, shown)
}

/** Signatures of a few minutes: who repeats a request is told that it was done, and does nothing. */
export class SeenSignatures {
  readonly #seen = new Map<string, number>()

  /** Notes a signature. Returns whether it is new. */
  add(signature: string, now: number): boolean {
    for (const [other, at] of this.#seen) {
      if (now - at <= 2 * OLDEST_MS) break
      this.#seen.delete(other)
    }
    if (this.#seen.has(signature)) return false
    this.#seen.set(signature, now)
    return true
  }
}
