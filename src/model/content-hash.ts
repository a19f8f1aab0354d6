import { hash } from 'node:crypto'

/** 128 bits of the SHA-256 of a record's JSON text, as sent, in base64url: equal content hashes, equal records. */
export function contentHashOf(json: string | Uint8Array): string {
  return hash('sha256', json, 'base64url').slice(0, 22)
}
