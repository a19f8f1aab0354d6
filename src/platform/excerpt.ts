import { masker } from '../redact.ts'

/** Enough for any excerpt; a body may be 64 MiB. */
const LOOKED_AT = 16_384

/** The beginning of a text in at most `limit` printable characters. */
export type Excerpt = (text: string, limit: number) => string

/** Excerpts of what the platform said that never hold `secret`, not even a part of it. */
export function excerptWithout(secret: string): Excerpt {
  const mask = masker(secret, '[api key]')
  return (text, limit) => {
    const isCut = text.length > LOOKED_AT + secret.length
    const head = mask(text.slice(0, LOOKED_AT + secret.length), isCut)
    // A secret that straddles the cut would escape in part: what is cut is shortened by its length.
    const safe = isCut ? head.slice(0, -secret.length || undefined) : head
    const printable = safe.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
    return printable.length <= limit ? printable : `${printable.slice(0, limit - 1).toWellFormed()}…`
  }
}
