import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { freeBytes } from '../answer.ts'
import { sift, type Sifted, type ToSift } from './sift.ts'

/** Written in TypeScript in a clone, and built in the package. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './sift-thread.ts' : './sift-thread.js', import.meta.url)

/** The thread ends when nothing was to be done for so long: it takes some megabytes. */
const KEPT_MS = 30_000

/** How much is copied within some milliseconds. */
const COPIED_AT_ONCE = 4 * 1024 * 1024
const FREED_AT_ONCE = 64

/**
 * Looks through large answers in a thread, so that neither other accounts nor deliveries wait meanwhile. It starts with the first
 * large answer. Where it cannot start, or dies, the caller's thread does the work.
 */
class Sifter {
  readonly #waiting = new Map<number, (sifted: Sifted | null) => void>()
  #thread: Worker | null = null
  #asked = 0
  #ending: NodeJS.Timeout | null = null

  /** Frees the chunks. */
  async sift(chunks: readonly Buffer[], contentType: string): Promise<Sifted & { readonly body: Buffer }> {
    const body: ToSift = { bytes: await shared(chunks), contentType }
    await freed(chunks)
    const sifted = (await this.#ask(body)) ?? sift(body)
    return { ...sifted, body: Buffer.from(sifted.bytes?.buffer ?? body.bytes) }
  }

  /** What the thread makes of a body; null: it cannot do it. */
  async #ask(body: ToSift): Promise<Sifted | null> {
    const { promise, resolve } = Promise.withResolvers<Sifted | null>()
    if (this.#ending !== null) clearTimeout(this.#ending)
    const id = (this.#asked += 1)
    try {
      this.#thread ??= this.#start()
      this.#waiting.set(id, resolve)
      this.#thread.ref()
      this.#thread.postMessage({ id, body }, [])
    } catch {
      this.#waiting.delete(id)
      return null
    }
    return await promise
  }

  #start(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const thread = new Worker(ENTRY, { env: {}, execArgv: [] })
    thread.on('message', ({ id, sifted }: { readonly id: number; readonly sifted: Sifted }) => {
      this.#waiting.get(id)?.(sifted)
      this.#waiting.delete(id)
      if (this.#waiting.size > 0) return
      thread.unref()
      this.#ending = setTimeout(() => void thread.terminate(), KEPT_MS).unref()
    })
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#ended(thread))
    return thread
  }

  #ended(thread: Worker): void {
    if (this.#thread !== thread) return
    this.#thread = null
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const settle of waiting) settle(null)
  }
}

/** The process has one: large answers come seldom, and wait for each other. */
export const sifter = new Sifter()

/** One after the other, with turns for everybody else between. */
async function shared(chunks: readonly Buffer[]): Promise<SharedArrayBuffer> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const bytes = new SharedArrayBuffer(length)
  const whole = new Uint8Array(bytes)
  let [at, turnAt] = [0, COPIED_AT_ONCE]
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    if (at < turnAt) continue
    turnAt = at + COPIED_AT_ONCE
    await nextTurn()
  }
  return bytes
}

async function freed(chunks: readonly Buffer[]): Promise<void> {
  for (let at = 0; at < chunks.length; at += FREED_AT_ONCE) {
    freeBytes(chunks.slice(at, at + FREED_AT_ONCE))
    await nextTurn()
  }
}
