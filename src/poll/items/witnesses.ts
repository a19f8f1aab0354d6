import { contentHashOf } from '../../model/content-hash.ts'
import type { ItemSource, QueuedItem } from './item-sources.ts'

const MOST = 10

/** Items that answered last: where others fail, they show whether the resource answers at all. */
export class Witnesses {
  readonly #source: ItemSource
  #ids: readonly string[] = []

  constructor(source: ItemSource) {
    this.#source = source
  }

  /** Whether none has answered in this process. */
  get isEmpty(): boolean {
    return this.#ids.length === 0
  }

  answered(id: string): void {
    this.#ids = [id, ...this.#ids.filter((each) => each !== id)].slice(0, MOST)
  }

  /** The last one first; of another process, where none has answered in this one. */
  async all(): Promise<readonly string[]> {
    if (!this.isEmpty) return this.#ids
    const known = await this.#source.queue(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return known
      .flatMap(({ id, lastSentAt }) => (lastSentAt === null ? [] : [id]))
      .slice(-MOST)
      .toReversed()
  }
}

/**
 * Items in an order that has nothing to do with theirs. Where none ever answered, some of all say whether any does: those that
 * fail may come one after the other.
 */
export function sampled(items: readonly QueuedItem[]): readonly QueuedItem[] {
  const order = new Map(items.map(({ id }) => [id, contentHashOf(id)]))
  return items.toSorted(({ id: left }, { id: right }) => ((order.get(left) ?? '') < (order.get(right) ?? '') ? -1 : 1))
}
