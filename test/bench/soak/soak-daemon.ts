import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryOf } from '../footprint/process-memory.ts'
import { YOUNG_ROOM } from '../young-room.ts'
import type { Inside } from './probe.ts'

const ENTRY = fileURLToPath(new URL('../../../src/bin.js', import.meta.url))
const PROBE = new URL('probe.ts', import.meta.url).href

export type Sample = Readonly<Record<Measure, number>>
export const MEASURES = ['resident MB', 'heap MB', 'descriptors', 'timers', 'resources', 'log MB'] as const
export type Measure = (typeof MEASURES)[number]

/** The real program in a process of its own, which can be asked what it holds. Linux only. */
export class SoakDaemon implements Disposable {
  readonly #child: ChildProcess
  readonly #folder: string
  /** Lines of level `error`, and whatever else it said that is no log line. */
  readonly said: string[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#child = spawn(process.execPath, [...YOUNG_ROOM, '--import', PROBE, ENTRY, 'run'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.said.push(...text.trimEnd().split('\n')))
    }
  }

  get #pid(): number {
    return this.#child.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async sample(): Promise<Sample> {
    const answer = once(this.#child, 'message')
    this.#child.send('sample')
    const [inside]: Inside[] = await answer
    if (inside === undefined) throw new Error('the program did not say what it holds')
    const log = statSync(`${this.#folder}/shipbell.db-wal`, { throwIfNoEntry: false })?.size ?? 0
    return {
      'resident MB': memoryOf(this.#pid).nowMb,
      'heap MB': inside.heapBytes / 1e6,
      descriptors: readdirSync(`/proc/${this.#pid}/fd`).length,
      timers: inside.timers,
      resources: inside.resources,
      'log MB': log / 1e6,
    }
  }

  reload(): void {
    this.#child.kill('SIGHUP')
  }

  /** Resolves to the exit code. */
  async stop(): Promise<number | null> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exit
    return this.#child.exitCode
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL')
  }
}
