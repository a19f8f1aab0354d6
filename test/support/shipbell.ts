import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('../../src/bin.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The program in a process and a folder of its own, as an operator runs it. */
export class Workplace implements Disposable {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'shipbell-work-'))
  /** Variables beyond PATH and HOME. */
  environment: Readonly<Record<string, string>> = {}
  /** What starts it: a command with its options, which runs what follows. */
  before: readonly string[] = []
  /** What is started: the clone's. */
  entry = ENTRY
  readonly #running = new Set<RunningShipbell>()

  write(file: string, text: string): string {
    const target = path.join(this.folder, file)
    writeFileSync(target, text)
    return target
  }

  start(...args: readonly string[]): RunningShipbell {
    return this.#spawn(args)
  }

  #spawn(args: readonly string[], uid?: number): RunningShipbell {
    const [command = process.execPath, ...rest] = [...this.before, process.execPath, this.entry, ...args]
    const child = spawn(command, rest, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, NO_COLOR: '1', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
    })
    const running = new RunningShipbell(child)
    this.#running.add(running)
    return running
  }

  async run(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended
  }

  /** As another user of the machine; only root may. */
  async runAs(uid: number, ...args: readonly string[]): Promise<Ended> {
    return this.#spawn(args, uid).ended
  }

  [Symbol.dispose](): void {
    for (const each of this.#running) each.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export class RunningShipbell {
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''
  readonly #child: ChildProcess
  readonly #watchers = new Set<() => void>()

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#changed()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      this.#changed()
    })
    this.ended = once(child, 'close').then(([code]: unknown[]) => {
      this.#changed()
      return { code: typeof code === 'number' ? code : null, stdout: this.stdout, stderr: this.stderr }
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Resolves with the match once the output holds it; rejects when the program ends without it. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    return this.finds(() => pattern.exec(`${this.stdout}\n${this.stderr}`), String(pattern))
  }

  /** Resolves with what `look` finds in the output, looking whenever there is more; rejects when the program ends without it. */
  async finds<T>(look: () => T | null, what: string): Promise<T> {
    for (;;) {
      const found = look()
      if (found !== null) return found
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`ended without printing ${what}: ${this.stdout}${this.stderr}`)
      }
      await new Promise<void>((resolve) => {
        this.#watchers.add(resolve)
      })
    }
  }

  #changed(): void {
    for (const wake of this.#watchers) wake()
    this.#watchers.clear()
  }
}
