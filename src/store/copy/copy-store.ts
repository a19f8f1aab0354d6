import type { Relocation } from './relocation-row.ts'
import { type CopiedTable, COPIED_TABLES } from '../tables/tables.ts'
import { ShipbellError } from '../../errors.ts'
import { hash } from 'node:crypto'

export type Value = string | number | Buffer | null

/** Values in the order of the columns of a table. */
export type Row = readonly Value[]

export const TABLE_NAMES = COPIED_TABLES.map(({ name }) => name)

/** Whether a store was used: of a table of one row, that says nothing, as it is there from the beginning. */
export const USED_SQL = `SELECT ${COPIED_TABLES.filter(({ key }) => key.length > 0)
  .map(({ name }) => `EXISTS (SELECT 1 FROM ${name})`)
  .join(' OR ')} AS used`

/** The rows of one state of a store. */
export interface StoredRows {
  count(table: CopiedTable): Promise<number>
  /** All rows, some megabytes at a time. Nothing else may be asked meanwhile. */
  batches(table: CopiedTable): AsyncIterable<readonly Row[]>
}

/** The rows of a store that is being filled. Nothing is derived from what is written. */
export interface WritableRows extends StoredRows {
  write(table: CopiedTable, rows: readonly Row[]): Promise<void>
}

/** A store that is to be moved, and that nobody works on. What is thrown while it is copied changes nothing in it. */
export interface LeavingStore extends AsyncDisposable {
  readonly place: string
  /**
   * Brings it to where a daemon would start, and notes that it is copied to `to`; a copy that had been begun before is gone on with.
   * Throws `store_moved` where it was moved to another place, `store_unusable` where it has what the other kind of store cannot hold.
   */
  prepare(copy: Pick<Relocation, 'id'> & { readonly to: string }): Promise<Relocation>
  /** Nothing is written to it until `work`, which may be called again, has ended; then it is marked as left. */
  leave<T>(work: (rows: StoredRows) => Promise<T>): Promise<T>
}

/** The place that a store is moved to. */
export interface ArrivingStore extends AsyncDisposable {
  readonly place: string
  /** Whether it holds the copy of this id, which has yet to take its place. */
  awaits(id: string): Promise<boolean>
  /**
   * All at once: a process that dies meanwhile has changed nothing. `work` may be called again. Throws `store_unusable` where there is
   * anything else than nothing or such a copy, which is made anew.
   */
  receive<T>(from: Omit<Relocation, 'state'>, work: (rows: WritableRows) => Promise<T>): Promise<T>
  /** Takes the copy into use. */
  arrive(): Promise<void>
}

/** Rows of all tables. */
export interface CopyProgress {
  readonly done: number
  readonly total: number
}

export interface CopyOptions {
  readonly from: LeavingStore
  readonly to: ArrivingStore
  /** For this copy, if none of these two was begun before: no other has it. */
  readonly id: string
  readonly progress: (progress: CopyProgress) => void
  /** Ends it, and nothing is left of it. */
  readonly signal: AbortSignal
}

export interface CopiedStore {
  readonly from: string
  readonly to: string
  /** How many rows of each table were copied. */
  readonly rows: ReadonlyMap<string, number>
}

/**
 * Moves a store: copies it whole, compares the copy with it, marks it as left, and lets the copy take its place. Whenever the
 * process dies, one of the two at most can be worked on: until it is marked, that is the store itself, and a copy that is whole
 * already only waits. The same command ends then what had been begun.
 */
export async function copyStore(options: CopyOptions): Promise<CopiedStore> {
  const { from, id, to } = options
  const copy = await from.prepare({ id, to: to.place })
  if (copy.state === 'left' && !(await to.awaits(copy.id))) {
    const problem = `The store ${from.place} was moved to ${to.place} already: there is nothing left to copy.`
    throw new ShipbellError('store_unusable', problem)
  }
  const source = { id: copy.id, other: from.place }
  const rows = await from.leave(async (left) =>
    copy.state === 'left'
      ? await countAll(left)
      : await to.receive(source, async (filled) => await copyAll(left, filled, options)),
  )
  await to.arrive()
  return { from: from.place, to: to.place, rows }
}

type Counts = ReadonlyMap<string, number>

async function countAll(rows: StoredRows): Promise<Counts> {
  const counts = new Map<string, number>()
  for (const table of COPIED_TABLES) counts.set(table.name, await rows.count(table))
  return counts
}

async function copyAll(from: StoredRows, to: WritableRows, { progress, signal }: CopyOptions): Promise<Counts> {
  const counts = await countAll(from)
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0)
  let done = 0
  for (const table of COPIED_TABLES) {
    const sent = await copyRows(table, { from, to, signal }, (rows) => {
      done += rows
      progress({ done, total })
    })
    await compare(table, { to, signal }, sent)
  }
  return counts
}

interface Ends extends Pick<CopyOptions, 'signal'> {
  readonly from: StoredRows
  readonly to: WritableRows
}

async function copyRows(
  table: CopiedTable,
  { from, signal, to }: Ends,
  copied: (rows: number) => void,
): Promise<RowDigest> {
  const digest = new RowDigest()
  for await (const rows of from.batches(table)) {
    signal.throwIfAborted()
    digest.add(rows)
    await to.write(table, rows)
    copied(rows.length)
  }
  return digest
}

async function compare(table: CopiedTable, { signal, to }: Omit<Ends, 'from'>, sent: RowDigest): Promise<void> {
  const kept = new RowDigest()
  for await (const rows of to.batches(table)) {
    signal.throwIfAborted()
    kept.add(rows)
  }
  if (kept.equals(sent)) return
  throw new ShipbellError(
    'store_unusable',
    `The copy differs from the store in ${table.name} (${sent.rows} rows were sent, ${kept.rows} are there): nothing was changed; report it.`,
  )
}

const WORDS = 8

/** How many rows there are, and a digest of them that is the same in whatever order they come. */
class RowDigest {
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
