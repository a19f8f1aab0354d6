import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { HEADERS, take } from './ask.ts'
import type { Question } from './questions.ts'

export interface Browsing extends AsyncDisposable {
  /** Pages taken so far, and how long each took. */
  readonly times: readonly number[]
  /** Why streams ended before their client did. */
  readonly cuts: readonly string[]
}

/**
 * So many clients, each with a stream, look at one page after the other: `pauseMs` after it had the last one. They begin at
 * different pages and take them all in the same order.
 */
export function browse(
  url: string,
  pages: readonly Question[],
  { clients, pauseMs }: { readonly clients: number; readonly pauseMs: number },
): Browsing {
  const stop = new AbortController()
  const times: number[] = []
  const cuts: string[] = []
  const all = Array.from({ length: clients }, async (_, client) => {
    const pool = new Pool(url, { connections: 2, bodyTimeout: 0 })
    const streaming = stream(pool, stop.signal, cuts)
    await delay((pauseMs * client) / clients)
    for (let turn = (client * pages.length) / clients; !stop.signal.aborted; turn += 1) {
      const page = pages[Math.floor(turn) % pages.length]
      if (page !== undefined) times.push((await take(pool, page.path)).ms)
      await delay(pauseMs)
    }
    await streaming
    await pool.destroy()
  })
  return {
    times,
    cuts,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all(all)
    },
  }
}

/** Resumes where it is cut, as a browser does. */
async function stream(pool: Pool, signal: AbortSignal, cuts: string[]): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await pool.request({ path: '/api/v1/stream', method: 'GET', headers: HEADERS, signal })
      for await (const _ of body) if (signal.aborted) return
    } catch (error) {
      if (!signal.aborted) cuts.push(String(error))
    }
  }
}
