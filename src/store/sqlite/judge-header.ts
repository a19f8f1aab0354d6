import { closeSync, openSync, readSync } from 'node:fs'

/** `PRAGMA application_id` of a store, set by the first migration: "SHBL". */
export const APPLICATION_ID = 1_397_244_492

/** As https://sqlite.org/fileformat.html has it: the database's header, then that of its first page. */
const MAGIC = 'SQLite format 3\0'
const APPLICATION_AT = 68
const FIRST_PAGE_AT = 100
const LEAF_OF_A_TABLE = 0x0d
const LENGTH = 108

/**
 * What a file holds, by its first bytes. A store that was just made may have all but its header in its log: what may be one
 * is taken for one. Opens the file: for who has no connection to it (POSIX drops SQLite's locks on a file with any descriptor of it).
 */
export function judgeHeader(path: string): 'store' | 'another database' | 'no database' {
  const header = Buffer.alloc(LENGTH)
  const descriptor = openSync(path, 'r')
  try {
    const length = readSync(descriptor, header, 0, LENGTH, 0)
    if (length === 0) return 'store'
    if (length < LENGTH || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'no database'
  } finally {
    closeSync(descriptor)
  }
  if (header.readUInt32BE(APPLICATION_AT) === APPLICATION_ID) return 'store'
  const isEmpty = header[FIRST_PAGE_AT] === LEAF_OF_A_TABLE && header.readUInt16BE(FIRST_PAGE_AT + 3) === 0
  return isEmpty ? 'store' : 'another database'
}
