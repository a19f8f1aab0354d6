import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { openStore } from '../../src/store/file/open-store.ts'

let bytes: Buffer | null = null

/** Puts a store without rows at `file`, where none is: to have it made anew there takes longer than most tests. */
export function putEmptyStore(file: string): void {
  bytes ??= madeAnew()
  writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
}

function madeAnew(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-empty-'))
  const file = path.join(folder, 'shipbell.db')
  const store = openStore({ path: file })
  const sqlite = new Sqlite(file, { readonly: true })
  const made = sqlite.serialize()
  sqlite.close()
  void store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
  return made
}
