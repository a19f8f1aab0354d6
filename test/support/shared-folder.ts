import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

let folder: string | null = null

/** What takes long to make is made once for all workers of a run: the first files of a PostgreSQL, a copy of its programs. */
export function setup(): void {
  folder = mkdtempSync(path.join(tmpdir(), 'shipbell-shared-'))
  // Some tests are another user of the machine.
  chmodSync(folder, 0o755)
  process.env['SHIPBELL_TEST_FOLDER'] = folder
}

export function teardown(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
}
