import { hash } from 'node:crypto'
import type { JsonObject } from '../model/json.ts'

/** 128 bits of the SHA-256 of a record as sent, in base64url: equal fingerprints, equal records. */
export function fingerprint(record: JsonObject): string {
  return hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22)
}
