import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isJsonObject, type Json } from '../model/json.ts'
import { canonicalPath } from '../store/file/store-file.ts'

/**
 * Says beside the store on which port this process serves, which the configuration leaves open with port 0, until it is
 * disposed of. Only its owner may read it. Where nothing can be written, nothing is said.
 */
export function sayServedPort(store: string, port: number): Disposable {
  const file = fileOf(store)
  try {
    rmSync(file, { force: true })
    writeFileSync(file, JSON.stringify({ pid: process.pid, port }), { mode: 0o600, flag: 'wx' })
  } catch {
    return { [Symbol.dispose]: () => undefined }
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

/** The port that a process said; null: it said none. */
export function servedPort(store: string, pid: number): number | null {
  try {
    const said: Json = JSON.parse(readFileSync(fileOf(store), 'utf8'))
    return isJsonObject(said) && said.pid === pid && typeof said.port === 'number' ? said.port : null
  } catch {
    return null
  }
}

function fileOf(store: string): string {
  return `${canonicalPath(store)}.port`
}
