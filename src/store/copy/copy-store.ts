import { ShipbellError } from '../../errors.ts'
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts'
import type { ArrivingStore, LeavingStore, StoredRows, TableColumns, WritableRows } from './copy-ports.ts'
import { RowDigest } from './row-digest.ts'

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
  readonly rows: ReadonlyMap<CopiedTable, number>
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

type Counts = ReadonlyMap<CopiedTable, number>

async function countAll(rows: StoredRows): Promise<Counts> {
  const counts = new Map<CopiedTable, number>()
  for (const table of COPIED_TABLES) counts.set(table, await rows.count(table))
  return counts
}

async function copyAll(from: StoredRows, to: WritableRows, { progress, signal }: CopyOptions): Promise<Counts> {
  const counts = await countAll(from)
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0)
  let done = 0
  for (const table of COPIED_TABLES) {
    const columns = { table, columns: await sharedColumns(table, from, to) }
    const sent = await copyRows(columns, { from, to, signal }, (rows) => {
      done += rows
      progress({ done, total })
    })
    await compare(columns, { to, signal }, sent)
  }
  return counts
}

/** What one kind of store alone has is of no use to the other one. */
async function sharedColumns(table: CopiedTable, from: StoredRows, to: StoredRows): Promise<readonly string[]> {
  const known = await to.columns(table)
  return (await from.columns(table)).filter((column) => known.includes(column))
}

interface Ends extends Pick<CopyOptions, 'signal'> {
  readonly from: StoredRows
  readonly to: WritableRows
}

async function copyRows(
  of: TableColumns,
  { from, signal, to }: Ends,
  copied: (rows: number) => void,
): Promise<RowDigest> {
  const digest = new RowDigest()
  for await (const rows of from.batches(of)) {
    signal.throwIfAborted()
    digest.add(rows)
    await to.write(of, rows)
    copied(rows.length)
  }
  return digest
}

async function compare(of: TableColumns, { signal, to }: Omit<Ends, 'from'>, sent: RowDigest): Promise<void> {
  const kept = new RowDigest()
  for await (const rows of to.batches(of)) {
    signal.throwIfAborted()
    kept.add(rows)
  }
  if (kept.equals(sent)) return
  throw new ShipbellError(
    'store_unusable',
    `The copy differs from the store in ${of.table} (${sent.rows} rows were sent, ${kept.rows} are there): nothing was changed; report it.`,
  )
}
