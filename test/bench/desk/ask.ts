import { Pool } from 'undici'
import { quantile } from '../measure.ts'
import { TOKEN } from './desk-config.ts'
import type { Question } from './questions.ts'

export interface Asked {
  readonly question: Question
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** The first time, with nothing of it in any cache. */
  readonly first: number
  readonly bytes: number
  /** What the processor's time was for each, of the program and of a database: a busy machine adds nothing to it. */
  readonly cpuMs: number
  /** A bare answer of the same size on the same machine in between: its 50th and 95th percentile. */
  readonly bare: { readonly p50: number; readonly p95: number }
}

export interface AskRequest {
  readonly url: string
  readonly peer: string
  readonly rounds: number
  /** What the processor's time was so far of all that make an answer. */
  readonly cpuMs: () => number
}

/** Milliseconds from sending a request to having the whole answer, one after another on one connection. */
export async function askAll(
  questions: readonly Question[],
  { cpuMs: cpuNow, peer, rounds, url }: AskRequest,
): Promise<readonly Asked[]> {
  const [desk, bare] = [new Pool(url, { connections: 1 }), new Pool(peer, { connections: 1 })]
  const asked: Asked[] = []
  try {
    for (const question of questions) {
      const first = await take(desk, question.path)
      const used = cpuNow()
      const own: number[] = []
      const others: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        own.push((await take(desk, question.path)).ms)
        others.push((await take(bare, `/constant?size=${first.bytes}`)).ms)
      }
      const cpuMs = (cpuNow() - used) / rounds
      const [p50, p95, p99] = [quantile(own, 0.5), quantile(own, 0.95), quantile(own, 0.99)]
      const least = { p50: quantile(others, 0.5), p95: quantile(others, 0.95) }
      asked.push({ question, p50, p95, p99, first: first.ms, bytes: first.bytes, cpuMs, bare: least })
    }
    return asked
  } finally {
    await Promise.all([desk.close(), bare.close()])
  }
}

export const HEADERS = { authorization: `Bearer ${TOKEN}`, accept: 'text/html' } as const

export async function take(pool: Pool, path: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  const start = performance.now()
  const { body, statusCode } = await pool.request({ path, method: 'GET', headers: HEADERS })
  const bytes = (await body.arrayBuffer()).byteLength
  if (statusCode !== 200) throw new Error(`GET ${path} was answered ${statusCode}`)
  return { ms: performance.now() - start, bytes }
}
