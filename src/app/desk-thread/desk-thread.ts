import type { Worker } from 'node:worker_threads'
import { isFollowing, systemClock, type Clock } from '../../clock.ts'
import type { Config } from '../../config/config.ts'
import type { LiveConfig } from '../../config/live-config.ts'
import { ShipbellError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { AdminContext, Look, Looking } from '../../serve/admin-context.ts'
import type { Readiness } from '../../serve/readiness.ts'
import type { DaemonFacts, FromThread, ToThread } from './messages.ts'

export interface DeskThreadParts {
  readonly live: LiveConfig
  readonly log: Logger
  readonly readiness: () => Promise<Readiness>
  readonly budgetLeft: AdminContext['budgetLeft']
  /** What the thread runs; left out: what serves those who look. */
  readonly entry?: URL
}

/** Written in TypeScript in a clone, and built in the package. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './serve-looks.ts' : './serve-looks.js', import.meta.url)

/** The pages that show what only who polls knows. */
const SHOW_FACTS = new Set(['/system'])

/**
 * A thread that makes pages and lists for those who only look, so that nothing of it delays what polls and delivers. It has a
 * read-only connection to the store of its own, and starts with the first who looks. Where it dies, those who wait are told
 * so, as what they asked for may be why, and the next one starts another.
 */
export class DeskThread implements AsyncDisposable {
  readonly #parts: DeskThreadParts
  readonly #waiting = new Map<number, PromiseWithResolvers<Look | null>>()
  #thread: Promise<Worker | null> | null = null
  #told: Config | null = null
  #asked = 0
  #closed = false

  constructor(parts: DeskThreadParts) {
    this.#parts = parts
  }

  /**
   * What the thread sees; null: it cannot start or open the store, and the caller answers by itself. Throws `internal` where
   * it died.
   */
  async look(looking: Looking): Promise<Look | null> {
    if (this.#closed) return null
    const facts = SHOW_FACTS.has(new URL(looking.url).pathname) ? await this.#facts() : null
    const thread = await (this.#thread ??= this.#start())
    if (thread === null || this.#closed) return null
    const { config } = this.#parts.live
    if (this.#told !== config) {
      this.#told = config
      tell(thread, { kind: 'config', config })
    }
    const id = (this.#asked += 1)
    const waiting = Promise.withResolvers<Look | null>()
    this.#waiting.set(id, waiting)
    tell(thread, { kind: 'look', id, looking, facts })
    return await waiting.promise
  }

  async #facts(): Promise<DaemonFacts> {
    const { budgetLeft, live, readiness } = this.#parts
    const names = live.config.accounts.map(({ name }) => name)
    return { readiness: await readiness(), budgetLeft: new Map(names.map((name) => [name, budgetLeft(name)])) }
  }

  async #start(): Promise<Worker | null> {
    const { entry = ENTRY, log } = this.#parts
    try {
      const { Worker } = process.getBuiltinModule('node:worker_threads')
      const thread = new Worker(entry)
      thread.unref()
      thread.on('message', (said: FromThread) => this.#heard(said))
      thread.on('error', (error) =>
        log.error({ error: String(error), next: 'the next page starts another' }, 'admin.thread_failed'),
      )
      thread.on('exit', () => this.#ended())
      return thread
    } catch (error) {
      log.error({ error: String(error), next: 'pages are made beside everything else' }, 'admin.thread_failed')
      return null
    }
  }

  #heard(said: FromThread): void {
    if (said.kind === 'logged') {
      // What only looks logs failures alone.
      const { msg, level: _level, time: _time, ...fields } = JSON.parse(said.line)
      this.#parts.log.error(fields, msg)
      return
    }
    const waiting = this.#waiting.get(said.id)
    this.#waiting.delete(said.id)
    if (said.kind === 'failed') this.#parts.log.error({ error: said.error }, 'admin.failed')
    waiting?.resolve(said.kind === 'look' ? said.look : null)
  }

  #ended(): void {
    this.#thread = null
    this.#told = null
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    const died = new ShipbellError('internal', 'The thread that makes pages has died.')
    for (const { reject, resolve } of waiting) {
      if (this.#closed) resolve(null)
      else reject(died)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await (await this.#thread)?.terminate()
  }
}

function tell(thread: Worker, message: ToThread): void {
  thread.postMessage(message, [])
}

/** A thread for the desk; null where time is not the system's: another thread has no other. */
export function deskThread({ clock, ...parts }: DeskThreadParts & { readonly clock: Clock }): DeskThread | null {
  return clock === systemClock || isFollowing(clock) ? new DeskThread(parts) : null
}
