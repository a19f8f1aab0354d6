import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Exchange } from '../model/exchange.ts'

/** To parse, to judge, to compare or to store as much takes some 50 ms. */
const LARGE_BYTES = 500_000

/** Lets everybody else go on before the next step with a large answer. What is small is done at once. */
export async function betweenSteps({ bytes }: Pick<Exchange, 'bytes'>): Promise<void> {
  if (bytes > LARGE_BYTES) await nextTurn()
}
