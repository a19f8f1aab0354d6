import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CsvRows } from '../../src/serve/lists/csv-slice.ts'
import { type RowsAt, WholeTable } from '../../src/serve/lists/whole-table.ts'

/** A list with the newest change first, whose records ring between two slices: which of them, says `moves`. */
class MovingList {
  readonly records = Array.from({ length: 9 }, (_, n) => ({ key: `${n}`, rangAt: n }))
  now = 1_000_000
  readonly #moves: (readonly number[])[]

  constructor(moves: readonly (readonly number[])[]) {
    this.#moves = [...moves]
  }

  /** Three rows that rang before a cursor, and what moves once they are read. */
  rowsAt({ cursor }: RowsAt): CsvRows {
    const below = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor)
    const following = this.records
      .filter(({ rangAt }) => rangAt < below)
      .toSorted((one, other) => other.rangAt - one.rangAt)
    const rows = following.slice(0, 3).map(({ key, rangAt }) => ({ key, line: `${key}\n`, rangAt }))
    for (const nth of this.#moves.shift() ?? []) {
      this.now += 1_000
      Object.assign(this.records[nth] ?? {}, { rangAt: this.now })
    }
    return { head: 'key\n', rows, next: following.length > 3 ? String(rows.at(-1)?.rangAt) : null }
  }
}

test('a table has each record once, whatever rings while it is read', async () => {
  const moves = fc.array(fc.array(fc.nat(8), { maxLength: 4 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const list = new MovingList(all)
      const table = new WholeTable<null>({
        now: () => list.now,
        rowsAt: async (at) => await Promise.resolve(list.rowsAt(at)),
        isRefusal: (rows) => rows === null,
        doesMove: true,
      })
      let slice = await table.first()
      let text = ''
      for (; slice?.next === 'more'; slice = await table.more()) text += slice.text
      const [head, ...keys] = `${text}${slice?.text ?? ''}`.split('\n').slice(0, -1)
      expect([head, keys.toSorted()]).toEqual(['key', list.records.map(({ key }) => key)])
    }),
  )
})
