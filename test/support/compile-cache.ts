import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/shipbell-tests', import.meta.url))
/** Files of tests are kept anew by each run, under other names: some twenty runs. */
const MOST_FILES = 10_000

/** What Node makes of a source is kept for the workers of the next run and for the programs that tests start. */
export function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= FOLDER
}

export function teardown(): void {
  if (!existsSync(FOLDER)) return
  if (readdirSync(FOLDER, { recursive: true }).length > MOST_FILES) rmSync(FOLDER, { recursive: true, force: true })
}
