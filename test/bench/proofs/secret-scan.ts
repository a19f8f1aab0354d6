import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** A way in which a secret may be written, and what it is of. */
interface Needle {
  readonly of: string
  readonly form: string
  readonly bytes: Buffer
}

/** What a needle begins with is looked up by its first three bytes. */
const PREFIX = 3
/** Shorter ones are found by chance. */
const LEAST = 8

/** Looks for secrets in bytes: as they are, in base64 at any place of a longer text, in hex and as a part of an address. */
export class SecretScan {
  readonly found: string[] = []
  bytes = 0
  readonly #begins = new Uint8Array(1 << (8 * PREFIX))
  readonly #byPrefix = new Map<number, Needle[]>()
  #secrets = 0

  get secrets(): number {
    return this.#secrets
  }

  /** `of` says whose it is, in what is found. */
  hide(of: string, secret: string): void {
    this.#secrets += 1
    for (const [form, bytes] of formsOf(secret)) {
      if (bytes.length < LEAST) continue
      const prefix = bytes.readUIntBE(0, PREFIX)
      this.#begins[prefix] = 1
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), { of, form, bytes }])
    }
  }

  look(where: string, text: Buffer | string): void {
    const hay = typeof text === 'string' ? Buffer.from(text) : text
    this.bytes += hay.length
    let prefix = ((hay[0] ?? 0) << 8) | (hay[1] ?? 0)
    for (let end = PREFIX - 1; end < hay.length; end += 1) {
      prefix = ((prefix << 8) | (hay[end] ?? 0)) & 0xffffff
      if (this.#begins[prefix] === 1) this.#compare(where, hay, { prefix, at: end - PREFIX + 1 })
    }
  }

  /** Every file below a folder, but for those that `isLeftOut` names. */
  lookBelow(folder: string, isLeftOut: (name: string) => boolean = () => false): void {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name)
      if (isLeftOut(name)) continue
      if (statSync(file).isDirectory()) this.lookBelow(file, isLeftOut)
      else if (statSync(file).isFile()) this.look(file, readFileSync(file))
    }
  }

  #compare(where: string, hay: Buffer, { at, prefix }: { readonly at: number; readonly prefix: number }): void {
    for (const { bytes, form, of } of this.#byPrefix.get(prefix) ?? []) {
      if (hay.compare(bytes, 0, bytes.length, at, Math.min(hay.length, at + bytes.length)) !== 0) continue
      const beside = hay.subarray(Math.max(0, at - 60), at).toString('latin1')
      this.found.push(`${of} stands in ${form} in ${where} at ${at}, behind ${JSON.stringify(beside)}`)
    }
  }
}

function formsOf(secret: string): readonly (readonly [string, Buffer])[] {
  const text = Buffer.from(secret)
  const key = /^whsec_(.+)$/.exec(secret)?.[1]
  const forms: (readonly [string, Buffer])[] = [
    ['clear', text],
    ['an address', Buffer.from(encodeURIComponent(secret))],
    ...encoded('its text', text),
  ]
  if (key === undefined) return forms
  const bytes = Buffer.from(key, 'base64')
  return [
    ...forms,
    ['clear, without what it begins with', Buffer.from(key)],
    ['bytes', bytes],
    ...encoded('its bytes', bytes),
  ]
}

function encoded(what: string, bytes: Buffer): readonly (readonly [string, Buffer])[] {
  const hex = bytes.toString('hex')
  // Where it stands in a longer text, its base64 depends on how many bytes are before it; what its neighbours share is cut off.
  const shifted = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    return all.slice(before === 0 ? 0 : before + 1, -1)
  })
  return [
    [`hex of ${what}`, Buffer.from(hex)],
    [`hex of ${what}`, Buffer.from(hex.toUpperCase())],
    ...shifted.flatMap((form): (readonly [string, Buffer])[] => [
      [`base64 of ${what}`, Buffer.from(form)],
      [`base64url of ${what}`, Buffer.from(form.replaceAll('+', '-').replaceAll('/', '_'))],
    ]),
  ]
}
