/** A text of JSON, parsed when it is first asked for. */
export class KeptJson<T> {
  readonly #json: string
  #value: T | undefined

  constructor(json: string | null) {
    this.#json = json ?? 'null'
  }

  get value(): T {
    const value: T = this.#value ?? JSON.parse(this.#json)
    this.#value = value
    return value
  }
}
