import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** The Node of this process for what a shell starts, and packages from npm's cache where they are there. */
export const env = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}

/** What it printed; throws where it fails. */
export function run(cwd: string, command: string): string {
  return execFileSync('bash', ['-euc', command], { cwd, env, encoding: 'utf8' })
}
