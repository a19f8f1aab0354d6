import { hash } from 'node:crypto'
import type { Row, Value } from './copy-ports.ts'

const WORDS = 8

/** How many rows there are, and a digest of them that is the same in whatever order they come. */
export class RowDigest {
  rows = 0
  /** The sum of the rows' SHA-256, each word for itself. */
  readonly #sums = new Uint32Array(WORDS)

  add(rows: readonly Row[]): void {
    this.rows += rows.length
    for (const row of rows) {
      const digest = hash('sha256', JSON.stringify(row.map(plain)), 'buffer')
      for (let word = 0; word < WORDS; word += 1)
        this.#sums[word] = (this.#sums[word] ?? 0) + digest.readUInt32LE(word * 4)
    }
  }

  equals(other: RowDigest): boolean {
    return this.rows === other.rows && this.#sums.every((sum, word) => sum === other.#sums[word])
  }
}

function plain(value: Value): unknown {
  return Buffer.isBuffer(value) ? { bytes: hash('sha256', value, 'base64') } : value
}
