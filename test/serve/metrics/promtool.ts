import { spawnSync } from 'node:child_process'

/** Debian has it in the package `prometheus`. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

if (!hasPromtool)
  process.stderr.write('promtool is not installed (apt-get install prometheus): its checks are skipped\n')

/** What it says, errors too. */
export function promtool(args: readonly string[], input = ''): string {
  const { stderr, stdout } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return stdout + stderr
}
