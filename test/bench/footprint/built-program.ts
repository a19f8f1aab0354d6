import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface BuiltProgram extends Disposable {
  /** Its `bin.js`. */
  readonly entry: string
}

/** The program as its package has it: built, and with no source beside it, which `bin.js` would take. */
export function builtProgram(): BuiltProgram {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-built-'))
  mkdirSync(path.join(folder, 'src'))
  for (const file of ['package.json', 'src/bin.js']) cpSync(path.join(ROOT, file), path.join(folder, file))
  symlinkSync(path.join(ROOT, 'dist'), path.join(folder, 'dist'))
  return {
    entry: path.join(folder, 'src/bin.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
