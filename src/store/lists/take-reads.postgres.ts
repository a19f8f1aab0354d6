import type { PageRow } from './page-rows.ts'
import { accountOf } from '../records/record-rows.ts'
import type { BatchChange, ReadBatch, RecordWrite } from '../ports/commit-port.ts'
import type { PageWrite } from '../ports/list-port.ts'
import type { BatchReads, ReadKey } from './batch-reads.postgres.ts'
import { knownPage, knownReads, readsOf, readsOnPage, type LoadedRead } from './read-rows.postgres.ts'

/** What a batch says of the reads of records that it does not show. */
type ReadChange = Extract<BatchChange, { readonly kind: 'unchanged' | 'met' | 'missed' }>

/** What its answer was read as. */
interface Reading {
  readonly account: string
  readonly page: PageWrite | null
  /** Of the list that is at it, the pass that meets the batch's records; null: no pass does. */
  readonly met: { readonly resource: string; readonly pass: number } | null
}

/** What must be known for `takeReads`. The account is held. */
export function looksAtReads(batch: ReadBatch) {
  const { account, changes } = batch
  const page = pageIn(batch)
  const keys = [
    ...shownIn(batch).map((write) => keyOf(account, write)),
    ...changes.filter(isReadChange).flatMap((change) => keysOf(account, change)),
  ]
  return { page: knownPage(account, page), reads: knownReads(keys), onPage: readsOnPage(account, page) }
}

export interface KnownReads {
  readonly page: readonly PageRow[]
  readonly reads: readonly LoadedRead[]
  readonly onPage: readonly LoadedRead[]
}

/** What becomes of the reads of a batch's records, and of its page. */
export function takeReads(batch: ReadBatch, known: KnownReads): BatchReads {
  const { account, changes } = batch
  const page = pageIn(batch)
  const list = changes.find((change) => change.kind === 'list')
  const reading = { account, page, met: list === undefined ? null : { resource: list.resource, pass: list.state.pass } }
  const reads = readsOf([...known.onPage, ...known.reads])
  if (page !== null) reads.show(account, page, known.page[0])
  for (const write of shownIn(batch)) takeWrite(reads, write, reading)
  for (const change of changes.filter(isReadChange)) takeChange(reads, change, reading)
  return reads
}

function pageIn({ changes }: ReadBatch): PageWrite | null {
  return changes.find((change) => change.kind === 'page')?.page ?? null
}

function shownIn({ records }: ReadBatch): readonly RecordWrite[] {
  return records.filter((write) => write.read !== 'none')
}

function takeWrite(reads: BatchReads, write: RecordWrite, reading: Reading): void {
  const { contentHash, etag = null, state } = write
  const { page } = reading
  reads.save(keyOf(reading.account, write), {
    contentHash,
    etag,
    read: state.lastRead,
    pass: metBy(reading, state.resource),
    current: page?.kind === 'shown' ? page.current : null,
    isRemoved: state.removedAt !== null,
    counts: contentHash !== null && countsMisses(reading),
    isOfPage: state.resource === page?.resource,
  })
}

function takeChange(reads: BatchReads, change: ReadChange, reading: Reading): void {
  const pass = metBy(reading, change.resource)
  for (const key of keysOf(reading.account, change)) {
    if (change.kind === 'met') reads.meet(key, pass)
    else if (change.kind === 'missed') reads.miss(key)
    else reads.touch(key, { read: change.read, etag: change.etag, pass, counts: countsMisses(reading) })
  }
}

function isReadChange(change: BatchChange): change is ReadChange {
  return change.kind === 'unchanged' || change.kind === 'met' || change.kind === 'missed'
}

function keyOf(account: string, write: RecordWrite): ReadKey {
  const { id, resource } = write.state
  return { account: accountOf(account, write), resource, id }
}

function keysOf(account: string, { ids, resource }: ReadChange): readonly ReadKey[] {
  return ids.map((id) => ({ account, resource, id }))
}

function countsMisses({ page }: Reading): boolean {
  return page === null || page.pass !== null
}

/** The pass that met the batch's records of a resource; null where the batch is not of that list. */
function metBy({ met }: Reading, resource: string): number | null {
  return met?.resource === resource ? met.pass : null
}
