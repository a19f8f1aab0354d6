import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Scripts that need nothing of one another: each lane takes about half of the time. */
const LANES = [
  ['format:check', 'typecheck', 'unused'],
  ['build', 'lint'],
]

/** What a script printed comes in one piece. */
async function succeeds(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
  const [code]: unknown[] = await once(child, 'close')
  process.stdout.write(`\n> ${script}${code === 0 ? '' : ' failed'}\n${Buffer.concat(printed).toString()}`)
  return code === 0
}

/** What follows a failure in its lane is not run. */
async function follow(lane: readonly string[]): Promise<boolean> {
  for (const script of lane) if (!(await succeeds(script))) return false
  return true
}

const passed = await Promise.all(LANES.map(follow))
if (passed.includes(false)) process.exitCode = 1
