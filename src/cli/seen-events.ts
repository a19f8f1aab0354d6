/** More are forgotten, the oldest first. */
const MOST = 100_000
/** Longer ones are nobody's event ids or paths, and not worth the memory. */
const LONGEST = 500

/** How an event came: for the first time, after tries that were refused, or although it was taken already. */
export type Coming = { readonly kind: 'first' } | { readonly kind: 'retry' | 'duplicate'; readonly times: number }

/** Remembers `webhook-id`s and how they were answered; each path stands for a receiver of its own. */
export class SeenEvents {
  readonly #known = new Map<string, { readonly times: number; readonly taken: boolean }>()

  note({ id, path }: { readonly id: string; readonly path: string }, taken: boolean): Coming {
    const key = `${path} ${id}`
    if (id === '' || key.length > LONGEST) return { kind: 'first' }
    const before = this.#known.get(key)
    const times = (before?.times ?? 0) + 1
    this.#known.delete(key)
    this.#known.set(key, { times, taken: taken || before?.taken === true })
    const oldest = this.#known.size > MOST ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    if (before === undefined) return { kind: 'first' }
    return { kind: before.taken ? 'duplicate' : 'retry', times }
  }
}
