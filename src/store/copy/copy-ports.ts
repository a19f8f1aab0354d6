import type { Relocation } from './relocation-row.ts'
import type { CopiedTable } from './copied-tables.ts'

export type Value = string | number | Buffer | null

/** Values in the order of the columns that were asked for. */
export type Row = readonly Value[]

export interface TableColumns {
  readonly table: CopiedTable
  readonly columns: readonly string[]
}

/** The rows of one state of a store. */
export interface StoredRows {
  columns(table: CopiedTable): Promise<readonly string[]>
  count(table: CopiedTable): Promise<number>
  /** All rows, some megabytes at a time. Nothing else may be asked meanwhile. */
  batches(of: TableColumns): AsyncIterable<readonly Row[]>
}

/** The rows of a store that is being filled. Nothing is derived from what is written. */
export interface WritableRows extends StoredRows {
  write(of: TableColumns, rows: readonly Row[]): Promise<void>
}

/** A store that is to be moved, and that nobody works on. What is thrown while it is copied changes nothing in it. */
export interface LeavingStore extends AsyncDisposable {
  readonly place: string
  /**
   * Brings it to where a daemon would start, and notes that it is copied to `to`; a copy that had been begun before is gone on with.
   * Throws `store_unusable` where it was moved to another place, or has what the other kind of store cannot hold.
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
