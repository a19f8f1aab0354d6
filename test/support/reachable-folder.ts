import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Of this process. */
const copies = new Map<string, string>()

/**
 * A folder of programs where another user of the machine reaches them: itself, or else a copy. Nobody but root enters root's home, or
 * reads what root made under a strict umask, and a clone may lie there.
 */
export function reachableFolder(
  folder: string,
  { probe, uid }: { readonly probe: string; readonly uid: number },
): string {
  const known = copies.get(folder)
  if (known !== undefined) return known
  const isReachable = spawnSync(path.join(folder, probe), ['--version'], { uid, gid: uid }).status === 0
  const reachable = isReachable ? folder : copyOf(folder)
  copies.set(folder, reachable)
  return reachable
}

/** What runs tests has a folder that its workers share; elsewhere a process has its own. */
function copyOf(folder: string): string {
  const shared = process.env['SHIPBELL_TEST_FOLDER']
  const own = mkdtempSync(path.join(shared ?? tmpdir(), 'shipbell-programs-'))
  const kept = shared === undefined ? path.join(own, 'kept') : path.join(shared, 'programs')
  if (shared === undefined) process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  if (existsSync(kept)) rmSync(own, { recursive: true })
  else {
    run('cp', ['-R', folder, path.join(own, 'copy')])
    run('chmod', ['-R', 'a+rX', own])
    move(path.join(own, 'copy'), kept)
  }
  return kept
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    // Another worker of the tests was first.
    if (!existsSync(to)) throw error
    rmSync(from, { recursive: true })
  }
}

function run(program: string, values: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, values, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}${String(error ?? '')}`)
}
