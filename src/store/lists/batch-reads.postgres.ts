import type { Read } from '../../model/record-state.ts'
import type { RecordResource, SubjectResource } from '../../model/resource.ts'
import type { PageRow } from './page-rows.ts'
import { isKnownPage, readMeanwhile } from './page-rows.ts'
import type { PageWrite, SamePage, ShownPage } from '../ports/list-port.ts'

/** `ref` of the batch's page where it has no row yet: those of rows are greater. */
export const NEW_PAGE = 0

export interface ReadKey {
  readonly account: string
  readonly resource: SubjectResource
  readonly id: string
}

export interface ReadRow extends ReadKey {
  readonly fingerprint: string | null
  readonly etag: string | null
  readonly sentAt: number
  readonly answeredAt: number
  readonly pass: number
  /** null: the record is removed. */
  readonly misses: number | null
  /** null: on no page. */
  readonly page: number | null
}

/** When a page was read last, which goes for all of its records. */
export interface PageRead {
  readonly sentAt: number
  readonly answeredAt: number
  readonly pass: number
}

/** What a page's row holds from now on. */
export interface PageColumns extends PageRead {
  readonly account: string
  readonly resource: RecordResource
  readonly skip: number
  readonly rows: number
  readonly print: string
  readonly rules: string
  readonly certainIdField: string | null
  readonly digest: string | null
  readonly etag: string | null
}

/** A read that showed a record, or that it is gone. */
export interface SavedRead {
  readonly contentHash: string | null
  readonly etag: string | null
  readonly read: Read
  /** The pass that it counts for; null: none. */
  readonly pass: number | null
  /** The pass that the list is at: what no pass read first need not be met by it. */
  readonly current: number | null
  readonly isRemoved: boolean
  /** Whether the record's misses are over. */
  readonly counts: boolean
  /** Whether it may be on the batch's page. */
  readonly isOfPage: boolean
}

/** A read that showed a record as it is known. */
export interface SameRead {
  readonly read: Read
  readonly pass: number | null
  readonly counts: boolean
  /** undefined: as it was. */
  readonly etag: string | null | undefined
}

/** The page that the rows of a batch are on. */
interface Place {
  readonly ref: number
  /** Ids of those that were on it before. */
  readonly members: ReadonlySet<string>
  /** Whether the others of the batch join it. */
  readonly isOpen: boolean
}

/** What a batch reads of records and pages of an account that is held: loaded by one statement, judged here, written by one. */
export class BatchReads {
  readonly #rows: Map<string, ReadRow>
  readonly #pages: Map<number, PageRead>
  readonly #changed = new Set<string>()
  readonly #doubted = new Set<number>()
  #place: Place | null = null
  #page: { readonly ref: number; readonly columns: PageColumns | null } | null = null

  /** `pages`: those that the rows are on. */
  constructor(rows: readonly ReadRow[], pages: ReadonlyMap<number, PageRead>) {
    this.#rows = new Map(rows.map((row) => [keyOf(row), row]))
    this.#pages = new Map(pages)
  }

  /** The page of the batch, before its records are. Throws `store_conflict` where it is no longer the known one. */
  show(account: string, write: PageWrite, page: PageRow | undefined): void {
    if (write.kind === 'same') this.#showSame(account, write, page)
    else this.#showRows(account, write, page)
  }

  #showSame(account: string, write: SamePage, page: PageRow | undefined): void {
    if (page === undefined || !isKnownPage(page, write.known)) throw readMeanwhile(account, write)
    const pass = write.pass ?? page.pass
    const { etag } = write.isFresh ? write.validator : page
    const { sentAt, answeredAt } = write.isFresh ? write.read : lastRead(page)
    const { certain_id_field: certainIdField, digest, print, ref, rows, rules } = page
    const { resource, skip } = write
    const columns = {
      account,
      resource,
      skip,
      rows,
      print,
      rules,
      certainIdField,
      digest,
      etag,
      sentAt,
      answeredAt,
      pass,
    }
    this.#page = { ref, columns }
    this.#pages.set(ref, { sentAt, answeredAt, pass })
  }

  #showRows(account: string, write: ShownPage, page: PageRow | undefined): void {
    const { certainIdField, contentHash: print, ids, resource, rows, rules, skip, validator } = write
    const ref = page?.ref ?? NEW_PAGE
    const before = [...this.#rows.values()].filter((row) => row.page === ref && row.misses !== null)
    const members = new Set(before.map(({ id }) => id))
    const staying = new Set(ids)
    for (const row of before) if (!staying.has(row.id)) this.#takeOff(row)
    if (rows === 0) {
      this.#page = page === undefined ? null : { ref, columns: null }
      return
    }
    // Rows that joined would count as met by the pass that read the page.
    const isOpen = write.pass !== null
    const isWhole = isOpen || ids.every((id) => members.has(id))
    const { contentHash: digest, etag } = isWhole && validator !== null ? validator : { contentHash: null, etag: null }
    const { sentAt, answeredAt } = write.read
    const read = { sentAt, answeredAt, pass: write.pass ?? page?.pass ?? 0 }
    this.#page = {
      ref,
      columns: { account, resource, skip, rows, print, rules, certainIdField, digest, etag, ...read },
    }
    this.#pages.set(ref, read)
    this.#place = { ref, members, isOpen }
  }

  save(key: ReadKey, saved: SavedRead): void {
    const { contentHash: fingerprint, counts, current, etag, isRemoved, pass, read } = saved
    // A removed record is on no page.
    const place = saved.isOfPage && !isRemoved ? this.#place : null
    if (place?.members.has(key.id) === true) {
      this.#change(key, { fingerprint, etag })
      return
    }
    const page = this.#move(key, place)
    const old = this.#rows.get(keyOf(key))
    const { sentAt, answeredAt } = read
    this.#put({
      ...key,
      fingerprint,
      etag,
      sentAt,
      answeredAt,
      page,
      pass: pass ?? (old === undefined || old.misses === null ? current : null) ?? old?.pass ?? 0,
      misses: isRemoved ? null : old === undefined || counts ? 0 : (old.misses ?? 0),
    })
  }

  touch(key: ReadKey, { counts, etag, pass, read: { answeredAt, sentAt } }: SameRead): void {
    if (this.#place?.members.has(key.id) === true) return
    const page = this.#move(key, this.#place)
    const old = this.#rows.get(keyOf(key))
    if (old === undefined) return
    const tagged = etag === undefined ? old.etag : etag
    this.#put({
      ...old,
      sentAt,
      answeredAt,
      page,
      pass: pass ?? old.pass,
      misses: counts ? 0 : old.misses,
      etag: tagged,
    })
  }

  /** Something else than its page showed a record: the page's next answer is parsed, whatever its bytes. */
  meet(key: ReadKey, pass: number | null): void {
    const old = this.#rows.get(keyOf(key))
    if (old === undefined) return
    this.#doubt(old.page)
    if (old.misses !== null) this.#put({ ...old, pass: pass ?? old.pass, misses: 0 })
  }

  miss(key: ReadKey): void {
    this.#move(key, null)
    const old = this.#rows.get(keyOf(key))
    if (old !== undefined && old.misses !== null) this.#put({ ...old, misses: old.misses + 1 })
  }

  get changed(): readonly ReadRow[] {
    return [...this.#changed].map((key) => this.#rows.get(key)).filter((row) => row !== undefined)
  }

  /** Other pages whose next answer is parsed, whatever its bytes. */
  get doubted(): readonly number[] {
    return [...this.#doubted].filter((ref) => ref !== this.#page?.ref)
  }

  /** The batch's page; null where it has none. `columns` null: it holds nothing any more. */
  get page(): { readonly ref: number; readonly columns: PageColumns | null } | null {
    const page = this.#page
    if (page === null || page.columns === null || !this.#doubted.has(page.ref)) return page
    return { ...page, columns: { ...page.columns, digest: null } }
  }

  /** Takes a record off its page and returns the one that it is on from now on: `to`, where that is open to it, or none. */
  #move(key: ReadKey, to: Place | null): number | null {
    if (to?.members.has(key.id) === true) return to.ref
    const row = this.#rows.get(keyOf(key))
    const ref = to?.isOpen === true ? to.ref : null
    if (row === undefined) return ref
    if (row.page !== ref) this.#doubt(row.page)
    if (ref === null) this.#takeOff(row)
    return ref
  }

  /** A record that is on no page any more was last read when it last was on one. */
  #takeOff(row: ReadRow): void {
    const read = row.page === null ? undefined : this.#pages.get(row.page)
    if (read === undefined) return
    this.#put({ ...row, ...read, pass: Math.max(read.pass, row.pass), page: null })
  }

  #doubt(page: number | null): void {
    if (page !== null) this.#doubted.add(page)
  }

  #change(key: ReadKey, columns: Pick<ReadRow, 'fingerprint' | 'etag'>): void {
    const old = this.#rows.get(keyOf(key))
    if (old !== undefined && (old.fingerprint !== columns.fingerprint || old.etag !== columns.etag))
      this.#put({ ...old, ...columns })
  }

  #put(row: ReadRow): void {
    this.#rows.set(keyOf(row), row)
    this.#changed.add(keyOf(row))
  }
}

function lastRead({ answered_at: answeredAt, sent_at: sentAt }: PageRow): Pick<PageRead, 'sentAt' | 'answeredAt'> {
  return { sentAt, answeredAt }
}

function keyOf({ account, id, resource }: ReadKey): string {
  return JSON.stringify([account, resource, id])
}
