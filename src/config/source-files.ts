import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Text that is the same while the files are: which of them can be read, and what they say. */
export function digestFiles(files: readonly string[]): string {
  const digest = createHash('sha256')
  for (const file of files) digest.update(JSON.stringify([file, contentOf(file)]))
  return digest.digest('hex')
}

function contentOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  }
}
