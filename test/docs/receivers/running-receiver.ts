import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import type { Guide } from './guide.ts'

/** The port in the programs of the pages. */
const PORT = '8585'
const WAIT = { timeout: 60_000, interval: 50 }

/** The program of a page, as its reader starts it: in a folder of its own, which outlives each start. */
export class RunningReceiver implements Disposable {
  readonly url: string
  readonly #guide: Guide
  readonly #port: string
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'shipbell-receiver-'))
  #processes: ChildProcess[] = []
  #output = ''
  #errors = ''

  private constructor(guide: Guide, port: string) {
    this.#guide = guide
    this.#port = port
    this.url = `http://127.0.0.1:${port}/hooks`
    writeFileSync(path.join(this.#folder, guide.file), this.#here(guide.program))
    symlinkSync(guide.modules, path.join(this.#folder, 'node_modules'))
    execFileSync('bash', ['--norc', '-euc', guide.prepare], { cwd: this.#folder })
  }

  static async start(guide: Guide, variables: Readonly<Record<string, string>>): Promise<RunningReceiver> {
    const receiver = new RunningReceiver(guide, String(await freePort()))
    await receiver.start(variables)
    return receiver
  }

  /** Resolves once it answers. */
  async start(variables: Readonly<Record<string, string>>): Promise<void> {
    const env = {
      // The first ones: Node of this process, and the languages of the system.
      PATH: `${path.dirname(process.execPath)}:/usr/bin:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      LANG: 'C.UTF-8',
      ...this.#guide.environment,
      ...variables,
    }
    for (const command of this.#guide.commands) {
      const child = spawn('bash', ['-c', `exec ${this.#here(command)}`], {
        cwd: this.#folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text))
      this.#processes.push(child)
    }
    await vi.waitFor(async () => {
      const ended = this.#processes.some(({ exitCode }) => exitCode !== null)
      if (!ended) return await fetch(this.url, { method: 'POST', body: '{}', headers: { connection: 'close' } })
      throw new Error(`It ended: ${this.#errors}`)
    }, WAIT)
  }

  /** What it printed of the events it handled, one line each. */
  get handled(): readonly string[] {
    return this.#output.split('\n').slice(0, -1)
  }

  /** Resolves once it has handled what is given: everything that came before has been looked at, too. */
  async handles(line: string): Promise<void> {
    await vi.waitFor(() => {
      if (!this.handled.includes(line)) throw new Error(`No ${line} in ${this.#output}${this.#errors}`)
    }, WAIT)
  }

  /** Resolves once it has said something of what went wrong. */
  async complains(of: string): Promise<void> {
    await vi.waitFor(() => {
      if (!this.#errors.includes(of)) throw new Error(`Nothing of ${of} in ${this.#errors}`)
    }, WAIT)
  }

  /** As a crash does. */
  stop(): void {
    for (const { pid } of this.#processes) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    this.#processes = []
  }

  [Symbol.dispose](): void {
    this.stop()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #here(text: string): string {
    return text.replaceAll(PORT, this.#port)
  }
}
