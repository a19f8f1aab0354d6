/** What becomes of an event for a subscription under another configuration, where that is not the same. */
export const DIFFERENCES = ['less', 'more', 'different'] as const
export type Difference = (typeof DIFFERENCES)[number]

const FIRST_SIZE = 1_024
const IN_A_BYTE = 4
const BITS = 2

/** Which events of a list differ for a subscription, and how: two bits for each, because a log has millions. */
export class DifferenceMarks {
  #bytes = new Uint8Array(FIRST_SIZE)

  mark(place: number, difference: Difference): void {
    const at = Math.floor(place / IN_A_BYTE)
    if (at >= this.#bytes.length) this.#bytes = grown(this.#bytes, at + 1)
    const code = DIFFERENCES.indexOf(difference) + 1
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (code << ((place % IN_A_BYTE) * BITS))
  }

  /** The places that differ so, in their order. */
  *places(difference: Difference): Generator<number> {
    const code = DIFFERENCES.indexOf(difference) + 1
    for (const [at, byte] of this.#bytes.entries()) {
      if (byte === 0) continue
      for (let nth = 0; nth < IN_A_BYTE; nth += 1) if (((byte >> (nth * BITS)) & 3) === code) yield at * IN_A_BYTE + nth
    }
  }
}

/** Ids in the order in which they came, as bytes: a million of them as texts would take four times the memory. */
export class PackedIds {
  #bytes = new Uint8Array(FIRST_SIZE)
  #ends = new Float64Array(FIRST_SIZE)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns the place of the id. */
  add(id: string): number {
    const bytes = Buffer.from(id)
    const start = this.#endOf(this.#size - 1)
    const end = start + bytes.length
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end)
    if (this.#size === this.#ends.length) {
      const ends = new Float64Array(this.#size * 2)
      ends.set(this.#ends)
      this.#ends = ends
    }
    this.#bytes.set(bytes, start)
    this.#ends[this.#size] = end
    this.#size += 1
    return this.#size - 1
  }

  at(place: number): string {
    return Buffer.from(this.#bytes.subarray(this.#endOf(place - 1), this.#endOf(place))).toString()
  }

  #endOf(place: number): number {
    return place < 0 ? 0 : (this.#ends[place] ?? 0)
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(bytes.length * 2, least))
  larger.set(bytes)
  return larger
}
