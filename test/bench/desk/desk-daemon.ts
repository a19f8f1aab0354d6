import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cpuMsOf } from '../process-cpu.ts'
import { YOUNG_ROOM } from '../young-room.ts'
import type { Seen } from './probe.ts'

const ENTRY = fileURLToPath(new URL('../../../src/bin.js', import.meta.url))
const PROBE = new URL('probe.ts', import.meta.url).href

/** The real program in a process of its own, which says what held it up. */
export class DeskDaemon implements AsyncDisposable {
  readonly #child: ChildProcess
  #said = ''

  constructor(folder: string) {
    this.#child = spawn(process.execPath, [...YOUNG_ROOM, '--import', PROBE, ENTRY, 'run'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text
      })
    }
  }

  /** Where it listens. */
  async url(): Promise<string> {
    for (;;) {
      const found = /admin interface on (http:\S+)/.exec(this.#said)?.[1]
      if (found !== undefined) return found
      if (this.#child.exitCode !== null) throw new Error(`the daemon ended: ${this.#said}`)
      await new Promise((resolve) => this.#child.stdout?.once('data', resolve))
    }
  }

  cpuMs(): number {
    return cpuMsOf(this.#child.pid ?? 0)
  }

  /** Since the last call. */
  async seen(): Promise<Seen> {
    const answer = once(this.#child, 'message')
    this.#child.send('seen')
    const [seen]: Seen[] = await answer
    if (seen === undefined) throw new Error('the daemon did not say what held it up')
    return seen
  }

  /** Lines of the log, from a level of pino's on. */
  linesFrom(level: number): readonly string[] {
    return this.#said.split('\n').filter((line) => Number(/"level":(\d+)/.exec(line)?.[1] ?? 0) >= level)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exit
  }
}
