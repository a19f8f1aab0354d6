import type { HttpAnswer } from '../judge-answer.ts'

/** What a Svix server has, as far as it is known. Each thing is asked for once, whoever needs it meanwhile. */
export class Ensured {
  readonly #asked = new Map<string, Promise<HttpAnswer | null>>()

  /** Resolves to null once the server has the thing, or to the answer that says otherwise; then the next caller asks again. */
  async ensure(thing: string, ask: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
    const known = this.#asked.get(thing)
    if (known !== undefined) return await known
    const asked = this.#refusal(thing, ask)
    this.#asked.set(thing, asked)
    return await asked
  }

  /** The server turned out not to have it. */
  forget(thing: string): void {
    this.#asked.delete(thing)
  }

  async #refusal(thing: string, ask: () => Promise<HttpAnswer>): Promise<HttpAnswer | null> {
    let refusal: HttpAnswer | null
    try {
      const answer = await ask()
      refusal = has(answer) ? null : answer
    } catch (error) {
      this.forget(thing)
      throw error
    }
    if (refusal !== null) this.forget(thing)
    return refusal
  }
}

/** 409: it was there already, or another process was faster. */
function has({ status }: HttpAnswer): boolean {
  return (status >= 200 && status < 300) || status === 409
}
