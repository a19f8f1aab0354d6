import type { JsonObject } from './json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENS = 0x7b
const CLOSES = 0x7d
const LIST_OPENS = 0x5b
const LIST_CLOSES = 0x5d

/** Names of members, as the text of an object writes them. */
export type WrittenNames = readonly Buffer[]

export function writtenNames(names: readonly string[]): WrittenNames {
  return names.map((name) => Buffer.from(JSON.stringify(name)))
}

/**
 * The members of an object that have these names, without the rest of it, which is passed over: a few members of a record take a quarter of the
 * time that it takes whole. `json` is what `JSON.stringify` made of the object, in UTF-8; null: it cannot be that.
 */
export function membersOf(json: Uint8Array, names: WrittenNames): JsonObject | null {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  if (bytes[0] !== OPENS) return null
  const found: string[] = []
  let at = 1
  while (bytes[at] === QUOTE && found.length < names.length) {
    const colon = endOfText(bytes, at)
    if (bytes[colon] !== COLON) return null
    const end = endOfValue(bytes, colon + 1)
    if (isAmong(names, bytes, { start: at, end: colon })) found.push(bytes.toString('utf8', at, end))
    if (bytes[end] !== COMMA && bytes[end] !== CLOSES) return null
    at = end + 1
  }
  return JSON.parse(`{${found.join(',')}}`)
}

function isAmong(names: WrittenNames, bytes: Uint8Array, { start, end }: Span): boolean {
  return names.some((name) => name.length === end - start && name.every((byte, nth) => byte === bytes[start + nth]))
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Where a text ends that begins here. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfText(bytes, start)
  if (first === OPENS || first === LIST_OPENS) return endOfNested(bytes, start)
  let at = start
  while (at < bytes.length && bytes[at] !== COMMA && bytes[at] !== CLOSES) at += 1
  return at
}

function endOfNested(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfText(bytes, at)
      continue
    }
    at += 1
    if (byte === OPENS || byte === LIST_OPENS) depth += 1
    else if ((byte === CLOSES || byte === LIST_CLOSES) && (depth -= 1) === 0) return at
  }
  return at
}
