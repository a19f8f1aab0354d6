import type { Exchange } from '../model/exchange.ts'
import type { Failure } from './outcome.ts'

export function broken(reason: string, exchange: Exchange, retryAfterMs: number | null = null): Failure {
  return { kind: 'broken', reason, retryAfterMs, exchange }
}
