import type { CsvRow, CsvRows } from './csv-slice.ts'
import type { CsvSlice } from './csv-stream.ts'

/** Where rows are asked for: in the order of the table, or, once that came to its end, the newest change first. */
export interface RowsAt {
  readonly isCatchingUp: boolean
  /** Without a cursor rows are read from the beginning on. */
  readonly cursor?: string
}

/** Clocks of workers differ; what rang so much before is looked at again. */
const MARGIN_MS = 60_000
/** How often the newest changes are looked through: each time takes less long than the one before. */
const MOST_LOOKS = 5

interface WholeTableParts<Refusal> {
  readonly now: () => number
  readonly rowsAt: (at: RowsAt) => Promise<CsvRows | Refusal>
  readonly isRefusal: (rows: CsvRows | Refusal) => rows is Refusal
  /** Whether rows change their places in the order of the table. */
  readonly doesMove: boolean
}

/**
 * A table with each record once, however records move while it is read: one that moves to where the table was read already would be
 * in no slice, so the newest changes are looked through at the end, for what was not sent.
 */
export class WholeTable<Refusal> {
  readonly #parts: WholeTableParts<Refusal>
  readonly #sent = new Set<string>()
  #at: RowsAt = { isCatchingUp: false }
  #looks = 0
  /** When what is read now began to be read, and what the look under way goes back to. */
  #began: number
  #since = 0
  /** When the newest change of the looks before rang, and of the one under way as far as it is read. */
  #before = 0
  #newest = 0

  constructor(parts: WholeTableParts<Refusal>) {
    this.#parts = parts
    this.#began = parts.now()
  }

  /** The head and the first rows. */
  async first(): Promise<CsvSlice | Refusal> {
    return await this.#read((head) => head)
  }

  /** What follows. */
  async more(): Promise<CsvSlice | Refusal> {
    return await this.#read(() => '')
  }

  async #read(before: (head: string) => string): Promise<CsvSlice | Refusal> {
    const rows = await this.#parts.rowsAt(this.#at)
    if (this.#parts.isRefusal(rows)) return rows
    const text = before(rows.head) + rows.rows.map((row) => this.#lineOf(row)).join('')
    return { text, next: this.#goesOn(rows) ? MORE : null }
  }

  #lineOf({ key, line }: CsvRow): string {
    if (this.#sent.has(key)) return ''
    this.#sent.add(key)
    return line
  }

  #goesOn({ next, rows }: CsvRows): boolean {
    const { cursor, isCatchingUp } = this.#at
    if (isCatchingUp) this.#newest = Math.max(this.#newest, ...rows.map(({ rangAt }) => rangAt))
    // Nothing rang since the look before, so nothing moved while it went on.
    const wasStill = isCatchingUp && rows.length > 0 && this.#newest <= this.#before
    const isOver = wasStill || (isCatchingUp && rows.some(({ rangAt }) => rangAt < this.#since))
    if (next !== null && !isOver) {
      this.#at = { isCatchingUp, cursor: next }
      return true
    }
    const { doesMove, now } = this.#parts
    // What was read at once did not move meanwhile.
    if (!doesMove || wasStill || cursor === undefined || this.#looks >= MOST_LOOKS) return false
    this.#looks += 1
    this.#since = this.#began - MARGIN_MS
    this.#began = now()
    this.#before = this.#newest
    this.#at = { isCatchingUp: true }
    return true
  }
}

/** A cursor that says to whoever reads slices that there is more. */
const MORE = 'more'
