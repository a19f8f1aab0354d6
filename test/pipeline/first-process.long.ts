import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { Workplace } from '../support/shipbell.ts'
import { configure } from './workplace.ts'

const ENTRY = fileURLToPath(new URL('../../src/bin.js', import.meta.url))
const STARTS = 16
const SPREAD_MS = 600
/** As `/proc/PID/status` has it: what a daemon handles last. Node itself handles none of it while it starts. */
const SIGHUP = 1n
/** A daemon that has not begun or ended by then never will; machines are shared and noisy. */
const NEVER_MS = 60_000
const NOWHERE = 'http://127.0.0.1:9'

function hasHandlers(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${caught}`) & SIGHUP) !== 0n
}

/** A daemon as the first process of its namespace, to which a signal without a handler does nothing; how it ended. */
async function endsAfter(ms: number, work: Workplace): Promise<string> {
  const unshare = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, ENTRY, 'run'], {
    cwd: work.folder,
    env: { PATH: process.env.PATH, HOME: work.folder },
    stdio: 'ignore',
  })
  const ended = once(unshare, 'exit')
  const pid = await vi.waitFor(
    () => {
      const child = Number(readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8'))
      if (child === 0 || !hasHandlers(child)) throw new Error('it has no handlers yet')
      return child
    },
    { timeout: NEVER_MS, interval: 1 },
  )
  await new Promise((resolve) => setTimeout(resolve, ms))
  process.kill(pid, 'SIGTERM')
  const late = setTimeout(() => unshare.kill('SIGKILL'), NEVER_MS)
  const [code, signal]: unknown[] = await ended
  clearTimeout(late)
  return String(code ?? signal)
}

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'SIGTERM ends a daemon that is the first process of a container, from its first line on',
  async () => {
    using work = new Workplace()
    configure(work, { platform: NOWHERE, receiver: NOWHERE })
    const ends: string[] = []
    for (let nth = 0; nth < STARTS; nth += 1) ends.push(await endsAfter((SPREAD_MS * nth) / STARTS, work))
    expect(ends).toEqual(Array.from({ length: STARTS }, () => '0'))
  },
)
