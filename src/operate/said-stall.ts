import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isJsonObject, type Json } from '../model/json.ts'
import { canonicalPath } from '../store/file/store-file.ts'

/**
 * Says beside the store that this process's work stalls, or (null) that it does not: the store itself takes nothing then. Only its
 * owner may read it. Where nothing can be written, nothing is said.
 */
export function sayStall(store: string, problem: string | null): void {
  const file = fileOf(store)
  try {
    rmSync(file, { force: true })
    if (problem !== null)
      writeFileSync(file, JSON.stringify({ pid: process.pid, problem }), { mode: 0o600, flag: 'wx' })
  } catch {
    // The log has it.
  }
}

/** What a process said of its work; null: it goes on. */
export function saidStall(store: string, pid: number): string | null {
  try {
    const said: Json = JSON.parse(readFileSync(fileOf(store), 'utf8'))
    return isJsonObject(said) && said.pid === pid && typeof said.problem === 'string' ? said.problem : null
  } catch {
    return null
  }
}

function fileOf(store: string): string {
  return `${canonicalPath(store)}.stalled`
}
