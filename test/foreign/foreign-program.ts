import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Debian has servers there, which is not in everybody's PATH. */
const FOLDERS = ['/usr/sbin', '/usr/bin', '/bin']

/** Its path; null where it is not installed. */
export function installed(name: string): string | null {
  return FOLDERS.map((folder) => `${folder}/${name}`).find(existsSync) ?? null
}

/** For the title of tests that are skipped. */
export function unless(path: string | null, hint: string): string {
  return path === null ? ` (skipped: ${hint})` : ''
}

type Command = readonly [program: string, ...args: string[]]

/** A server of somebody else that listens on a port of loopback. */
export class ForeignServer implements AsyncDisposable {
  readonly port: number
  readonly #command: Command
  /** Of the user that it runs as; null: of ours. */
  readonly #uid: number | null
  #child: ChildProcess | null = null

  constructor(port: number, command: Command, { uid = null }: { readonly uid?: number | null } = {}) {
    this.port = port
    this.#command = command
    this.#uid = uid
  }

  /** Resolves once it takes connections. It ends with the test. */
  static async start(port: number, command: Command): Promise<ForeignServer> {
    const server = new ForeignServer(port, command)
    onTestFinished(async () => await server.kill())
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const [program, ...args] = this.#command
    const user = this.#uid === null ? {} : { uid: this.#uid, gid: this.#uid }
    const child = spawn(program, args, { stdio: 'ignore', detached: true, ...user })
    this.#child = child
    while (!(await listens(this.port))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with exit code ${child.exitCode}`)
      await wait(10)
    }
  }

  /** Ends it as a crash does, with all that it has started. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await ended
    // A child of the program may hold the port for a moment longer, and whoever starts it anew would take that one for the new one.
    while (await listens(this.port)) await wait(10)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Runs a program to its end; throws with what it said where it fails. */
export function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}: ${stderr}`)
}
