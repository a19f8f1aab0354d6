import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** The largest file that a configuration may name: what is larger is no setting, secret, certificate or template. */
const MOST_BYTES = 1_000_000

/** Why a file that a configuration names cannot be had; `code` is the system's. */
export type FileTrouble =
  | { readonly kind: 'folder' | 'special' | 'large' | 'not_text' }
  | { readonly kind: 'failed'; readonly code: string }

export type NamedBytes = { readonly bytes: Uint8Array } | { readonly trouble: FileTrouble }
export type NamedText = { readonly text: string } | { readonly trouble: FileTrouble }

/**
 * A regular file of at most 1 MB: nothing else is read. A pipe or a device that would keep its reader waiting is never opened, and what
 * has become one since, or has no size of its own as files of /proc have, ends at the first wait or the first byte too many.
 */
export function readNamedFile(file: string): NamedBytes {
  try {
    const trouble = troubleOf(statSync(file))
    return trouble === null ? readBounded(file) : { trouble }
  } catch (error) {
    return { trouble: { kind: 'failed', code: codeOf(error) } }
  }
}

/** A file as text in UTF-8, without its byte order mark. */
export function readNamedText(file: string): NamedText {
  const read = readNamedFile(file)
  if ('trouble' in read) return read
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) }
  } catch {
    return { trouble: { kind: 'not_text' } }
  }
}

export function isMissing(trouble: FileTrouble): boolean {
  return trouble.kind === 'failed' && trouble.code === 'ENOENT'
}

/** The end of a sentence that begins with the file's name: what is wrong, without what to do. */
export function troubleWords(trouble: FileTrouble): string {
  return trouble.kind === 'failed' ? `cannot be read (${trouble.code})` : WORDS[trouble.kind]
}

const WORDS: Readonly<Record<Exclude<FileTrouble['kind'], 'failed'>, string>> = {
  folder: 'is a folder',
  special: 'is no plain file but a pipe, a socket or a device',
  large: 'is larger than 1 MB',
  not_text: 'is not UTF-8 text',
}

interface Stats {
  readonly size: number
  isFile(): boolean
  isDirectory(): boolean
}

function troubleOf(stats: Stats): FileTrouble | null {
  if (stats.isDirectory()) return { kind: 'folder' }
  if (!stats.isFile()) return { kind: 'special' }
  return stats.size > MOST_BYTES ? { kind: 'large' } : null
}

function readBounded(file: string): NamedBytes {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const stats = fstatSync(descriptor)
    const trouble = troubleOf(stats)
    if (trouble !== null) return { trouble }
    return readUpTo(descriptor, stats.size)
  } finally {
    closeSync(descriptor)
  }
}

type Room = Uint8Array<ArrayBuffer>
const PAGE = 4_096

function readUpTo(descriptor: number, expected: number): NamedBytes {
  let room = roomFor(expected + 1)
  let length = 0
  for (;;) {
    const count = readSync(descriptor, room, length, room.length - length, null)
    if (count === 0) return { bytes: room.subarray(0, length) }
    length += count
    if (length > MOST_BYTES) return { trouble: { kind: 'large' } }
    if (length === room.length) room = grown(room)
  }
}

function grown(room: Room): Room {
  const larger = roomFor(2 * room.length)
  larger.set(room)
  return larger
}

/** Whole pages: some files of /proc give no less. */
function roomFor(bytes: number): Room {
  return new Uint8Array(Math.ceil(Math.min(bytes, MOST_BYTES + 1) / PAGE) * PAGE)
}

/** `ENOENT` and the like: never more, because texts of file errors may hold what was read. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
