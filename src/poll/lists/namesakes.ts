import { idAtPlatform, namesakeId } from '../../model/invoice-id.ts'
import { invoiceKind } from '../../model/invoice.ts'
import { isJsonObject } from '../../model/json.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { Page, RecordRow, Row } from '../../platform/outcome.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import type { PageShown } from './page-of-rows.ts'

type Kind = ReturnType<typeof invoiceKind>

const KINDS = ['invoice', 'credit_note'] as const

/** What is known of a reference. */
interface Owner {
  /** The kind of the record whose id is the reference alone; null: nothing has that id yet. */
  readonly kind: Kind | null
  /** The kind of the record that has a namesake's id; null: there is none. */
  readonly namesake: Kind | null
}

interface Waiting {
  readonly shown: PageShown
  readonly row: RecordRow
}

/**
 * Tells an invoice from the credit note that has the same reference. Once a pass has shown both, they are two records for good:
 * who was known first keeps the reference as its id, and the other has a namesake's (`namesakeId`). Of one page the invoice is
 * first. A row whose kind differs from the known record's may as well be that record, which became the other kind. Such a row
 * waits for the end of its pass, which says whether the known one was met too.
 */
export class Namesakes {
  readonly #account: string
  readonly #store: Pick<RecordStore, 'records'>
  /** Owners of references, as of this pass: unknown rows may be withheld, so that the store does not know them yet. */
  readonly #given = new Map<string, Owner>()
  #waiting: Waiting[] = []

  constructor(account: string, store: Pick<RecordStore, 'records'>) {
    this.#account = account
    this.#store = store
  }

  /** The page with the id of each row; without the rows that wait. */
  async name(shown: PageShown): Promise<PageShown> {
    const { page } = shown
    const owners = await this.#owners(page)
    if (owners === null) return shown
    const rows = page.rows.flatMap((row) => {
      const id = row.id === null ? null : this.#idOf(row, owners)
      if (id !== 'waits') return [id === null || id === row.id ? row : renamed(row, id)]
      if (row.kind === 'record') this.#waiting.push({ shown, row })
      return []
    })
    const place = rows.length === page.rows.length ? shown.place : { ...shown.place, validator: null }
    return { ...shown, page: { ...page, rows }, place }
  }

  /**
   * The pass is over. The rows that waited, each as a page of its own; after a pass that is not whole those that are two records.
   * `met`: the ids of records that the pass showed.
   */
  end(met: ReadonlySet<string>, isWhole: boolean): readonly PageShown[] {
    const waiting = this.#waiting.filter(({ row }) => isWhole || met.has(row.id))
    this.#waiting = []
    return waiting.map(({ row, shown }) => {
      const id = met.has(row.id) ? namesakeId(row.id, invoiceKind(row.record)) : row.id
      return { ...shown, page: { ...shown.page, rows: [renamed(row, id)] } }
    })
  }

  #idOf(row: Row, owners: ReadonlyMap<string, Owner>): string | null {
    const { id } = row
    const owner = id === null ? undefined : owners.get(id)
    const kind = kindOf(row)
    if (id === null || owner === undefined || kind === null) return id
    if (owner.namesake !== null) return owner.namesake === kind ? namesakeId(id, kind) : id
    return owner.kind === kind || row.kind === 'rejected' ? id : 'waits'
  }

  /** By reference; null where each row is the record that it was. */
  async #owners({ rows }: Page): Promise<ReadonlyMap<string, Owner> | null> {
    const kinds = kindsOf(rows)
    if (kinds.size === 0) return null
    const ids = [...kinds.keys()].flatMap((id) => [id, ...KINDS.map((kind) => namesakeId(id, kind))])
    const states = await this.#store.records(this.#account, 'invoice', ids)
    const owners = new Map<string, Owner>()
    for (const [reference, shown] of kinds) {
      const owner = ownerAfter(this.#given.get(reference) ?? knownOwner(reference, states), shown)
      owners.set(reference, owner)
      this.#given.set(reference, owner)
    }
    return owners
  }
}

/** The kinds of the rows of each reference that has a row of which nothing is known. */
function kindsOf(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<Kind>> {
  const kinds = new Map<string, Set<Kind>>()
  for (const row of rows) {
    const kind = row.kind === 'record' && row.isKnown ? null : kindOf(row)
    if (row.id !== null && kind !== null) kinds.set(row.id, (kinds.get(row.id) ?? new Set<Kind>()).add(kind))
  }
  if (kinds.size === 0) return kinds
  for (const row of rows) {
    if (row.id === null || row.kind !== 'record' || !row.isKnown) continue
    kinds.get(idAtPlatform('invoice', row.id))?.add(invoiceKind(row.record))
  }
  return kinds
}

function knownOwner(reference: string, states: ReadonlyMap<string, RecordState>): Owner {
  const seen = states.get(reference)?.seen ?? null
  const namesake = KINDS.find((kind) => states.has(namesakeId(reference, kind))) ?? null
  return { kind: seen === null ? null : invoiceKind(seen), namesake }
}

/** A page that shows both kinds has two records. */
function ownerAfter(owner: Owner, shown: ReadonlySet<Kind>): Owner {
  const kind = owner.kind ?? KINDS.find((each) => shown.has(each) && each !== owner.namesake) ?? null
  const other = KINDS.find((each) => each !== kind) ?? null
  return { kind, namesake: owner.namesake ?? (shown.size === KINDS.length ? other : null) }
}

function kindOf(row: Row): Kind | null {
  return isJsonObject(row.record) ? invoiceKind(row.record) : null
}

function renamed(row: Row, id: string): Row {
  return row.kind === 'rejected'
    ? { ...row, id }
    : { kind: 'record', id, isKnown: row.isKnown, contentHash: row.contentHash, record: row.record }
}
