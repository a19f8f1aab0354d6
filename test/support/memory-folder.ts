import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 1024 ** 3

let folder: string | null = null

/** Temporary files are kept in memory where there is room for them: a disk makes each of a thousand stores wait. */
export function setup(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < NEEDED_BYTES) return
  folder = mkdtempSync(`${MEMORY}/shipbell-tests-`)
  // Some tests are another user of the machine.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
}

export function teardown(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
}
