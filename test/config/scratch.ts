import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Problem } from '../../src/config/problem.ts'

/** 32 bytes, valid wherever a secret is wanted. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A folder of files that lives as long as the test. */
export function scratchFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  return folder
}

export function shown({ line, column, severity, message }: Problem): string {
  return `${line}:${column} ${severity === 'warning' ? 'warning: ' : ''}${message}`
}
