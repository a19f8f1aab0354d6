import { spawn, spawnSync, type ChildProcess } from 'node:child_process'

/** Debian's package of the same name. */
const LIMITER = 'cpulimit'

/** Whether processes can be held to a share of a core. */
export function hasLimiter(): boolean {
  return spawnSync('sh', ['-c', `command -v ${LIMITER}`]).status === 0
}

/** Holds a process to so many percent of one core, by stopping it for a part of each tenth of a second. */
export class CpuShare implements Disposable {
  readonly #limiter: ChildProcess
  readonly #pid: number

  constructor(pid: number, percent: number) {
    this.#pid = pid
    this.#limiter = spawn(LIMITER, ['-p', String(pid), '-l', String(percent)], { stdio: 'ignore' })
  }

  [Symbol.dispose](): void {
    this.#limiter.kill('SIGKILL')
    try {
      process.kill(this.#pid, 'SIGCONT')
    } catch {
      // It has ended.
    }
  }
}
