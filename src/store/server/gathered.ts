/** Questions that are asked for at once, answered together: each is given the whole answer, to find its own in it. */
export class Gathered<Key, Answer> {
  readonly #answer: (keys: readonly Key[]) => Promise<Answer>
  #next: { readonly keys: Key[]; readonly answer: Promise<Answer> } | null = null

  constructor(answer: (keys: readonly Key[]) => Promise<Answer>) {
    this.#answer = answer
  }

  async ask(keys: readonly Key[]): Promise<Answer> {
    this.#next ??= this.#begin()
    this.#next.keys.push(...keys)
    return await this.#next.answer
  }

  #begin(): { readonly keys: Key[]; readonly answer: Promise<Answer> } {
    const keys: Key[] = []
    const { promise, resolve } = Promise.withResolvers<Answer>()
    // Whoever is called before then asks together with this one.
    process.nextTick(() => {
      this.#next = null
      resolve(this.#answer(keys))
    })
    return { keys, answer: promise }
  }
}
