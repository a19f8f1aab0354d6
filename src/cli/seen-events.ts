/** More are forgotten, the oldest first. */
const MOST = 100_000
/** Longer ones are nobody's event ids, and not worth the memory. */
const LONGEST_ID = 200

/** How an event came: for the first time, after tries that were refused, or although it was taken already. */
export type Coming = { readonly kind: 'first' } | { readonly kind: 'retry' | 'duplicate'; readonly times: number }

/** Remembers `webhook-id`s and how they were answered. */
export class SeenEvents {
  readonly #byId = new Map<string, { readonly times: number; readonly taken: boolean }>()

  note(id: string, taken: boolean): Coming {
    if (id === '' || id.length > LONGEST_ID) return { kind: 'first' }
    const before = this.#byId.get(id)
    const times = (before?.times ?? 0) + 1
    this.#byId.delete(id)
    this.#byId.set(id, { times, taken: taken || before?.taken === true })
    const oldest = this.#byId.size > MOST ? this.#byId.keys().next().value : undefined
    if (oldest !== undefined) this.#byId.delete(oldest)
    if (before === undefined) return { kind: 'first' }
    return { kind: before.taken ? 'duplicate' : 'retry', times }
  }
}
