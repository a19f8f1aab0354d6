import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** No place that is sealed here is longer, and nothing longer is opened. */
const LONGEST = 8_192

/**
 * Hides places of the log, of the ledger and of lists from whoever sees only a part of these: a place says how much there is of
 * what they do not see. Each is sealed anew, so that two of them tell nothing, and opened only by the token that it was sealed for.
 */
export class PlaceSeal {
  readonly #key: Buffer

  constructor(token: string) {
    this.#key = Buffer.from(hkdfSync('sha256', token, '', 'shipbell sealed places', 32))
  }

  /** The text that stands for a place; `list` keeps it from being taken for one of another list. */
  seal(list: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(list))
    const sealed = Buffer.concat([cipher.update(place), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** The place that a text stands for; null: it was not sealed for this token and list. */
  open(list: string, text: string): string | null {
    const bytes = Buffer.from(text, 'base64url')
    if (text.length > LONGEST || bytes.length <= NONCE_BYTES + TAG_BYTES) return null
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)]
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(list)).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    } catch {
      return null
    }
  }
}
