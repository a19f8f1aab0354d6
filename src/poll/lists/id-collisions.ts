import { canonicalHash } from '../../detect/canonical-hash.ts'
import { ignoredPaths } from '../../model/account.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { Page, RecordRow, Row } from '../../platform/outcome.ts'
import type { IdCollision } from '../../store/ports/list-port.ts'
import type { ListContext } from '../poll-context.ts'
import { onlyRecords, type PageOfRows } from './page-of-rows.ts'

/** An older store counts passes up to here before it says that an id is of two records. */
const LEAST_PASSES = 2

/** Collisions that are followed. A list with more shows nothing else. */
const MOST_COLLISIONS = 1_000
const MOST_HASHES = 10

/** Whether the id is of two records. In an older store `isProved` is missing: there passes alone decided. */
function isTwo(collision: IdCollision): boolean {
  return collision.passes >= LEAST_PASSES && collision.isProved !== false
}

/** A row that waits for the end of the pass, as a page of its own, and what its record is known by. */
interface Waiting {
  readonly page: PageOfRows
  readonly row: RecordRow
  readonly known: JsonObject
}

/**
 * Follows one of two different records under one id. That they are two is said by a page that shows both, or by two pages of one
 * pass (`MovedRows`).
 *
 * Shipbell goes on following the record that it knows, as long as passes meet both. Rows that mean anything else wait for the end
 * of the pass: if the pass met the known record, they are another's. If it did not, the followed record changed: a row that was
 * another's before still is, and of the others the one is followed that differs least. A row that came alone is committed like
 * any change, and the id is of one record again.
 */
export class IdCollisions {
  readonly #hashOf: HashOf
  readonly #before: ReadonlyMap<string, IdCollision>
  /** The content hashes of the records that this pass met, of ids with more than one. */
  readonly #met = new Map<string, Set<string>>()
  /** Ids that this pass showed with several records, with the content hashes of those that are not followed. */
  readonly #doubled = new Map<string, ReadonlySet<string>>()
  readonly #waiting = new Map<string, Waiting[]>()
  /** Ids under which this pass met the followed record, with its content hash. */
  readonly #followed = new Map<string, string>()

  constructor(before: readonly IdCollision[], hashOf: HashOf) {
    this.#hashOf = hashOf
    this.#before = new Map(before.filter(isTwo).map((collision) => [collision.id, collision]))
  }

  /** Whether no id is known to be of more than one record: hardly ever is one. */
  get isEmpty(): boolean {
    return this.#before.size === 0 && this.#doubled.size === 0
  }

  /** Ids of two records, as far as earlier passes have shown, or this one. */
  has(id: string): boolean {
    return this.#before.has(id) || this.#doubled.has(id)
  }

  /** What records have meant that were met under an id beside the followed one, and what this one meant before the pass. */
  hashesOf(id: string): ReadonlySet<string> {
    return new Set([...(this.#before.get(id)?.hashes ?? []), ...(this.#doubled.get(id) ?? [])])
  }

  /** The rows of a page's doubled ids that are followed. `known`: the records that these ids are known by. */
  follow(doubled: readonly DoubledId[], known: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, RecordRow> {
    const followed = new Map<string, RecordRow>()
    for (const each of doubled) {
      const { id, rows } = each
      const following = { known: known.get(id) ?? null, others: this.hashesOf(id), hashOf: this.#hashOf }
      const row = followedRow(each, following)
      if (row === null) continue
      followed.set(id, row)
      const records = rows.map(({ record }) => record)
      this.noteDoubled(id, records, row.record)
    }
    return followed
  }

  /** The pass showed several records under an id, which no single one can do that changes. */
  noteDoubled(id: string, records: readonly JsonObject[], followed: JsonObject): void {
    const hashes = records.map((record) => this.#hashOf(record))
    const others = new Set([...(this.#doubled.get(id) ?? []), ...hashes])
    others.delete(this.#hashOf(followed))
    this.#doubled.set(id, others)
    this.#followed.set(id, this.#hashOf(followed))
    this.#note(id, hashes)
  }

  /** Takes out the rows that wait for the end of the pass. `known`: the records that colliding ids of the page are known by. */
  sift(page: PageOfRows, known: ReadonlyMap<string, JsonObject>): PageOfRows {
    if (this.isEmpty) return page
    const waits = new Set<string>()
    for (const [id, row] of page.records) {
      const stored = known.get(id)
      if (!this.has(id) || stored === undefined) continue
      const contentHash = this.#hashOf(row.record)
      const isFollowed = contentHash === this.#hashOf(stored) || contentHash === this.#followed.get(id)
      if (isFollowed) this.#followed.set(id, contentHash)
      else {
        waits.add(id)
        const own = { ...onlyRecords({ ...page, rejectedIds: [] }, (each) => each === id), place: null }
        this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), { page: own, row, known: stored }])
      }
      this.#note(id, [contentHash])
    }
    if (waits.size === 0) return page
    return withoutRows(page, waits)
  }

  /**
   * The pass is over. Returns the ids of two records, the ids that are of two no longer (`over`), the rows to commit after all
   * (`changed`), and what to remember. Where the pass was not whole, the other record may be where it could not read: ids that it
   * did not meet twice stay as they are.
   */
  end(isWhole: boolean): {
    readonly idCollisions: readonly string[]
    readonly over: readonly string[]
    readonly changed: readonly PageOfRows[]
    readonly remember: readonly IdCollision[]
  } {
    const changed = [...this.#waiting].flatMap(([id, rows]) => {
      const chosen = this.#followed.has(id) ? null : this.#chosen(id, rows, isWhole)
      return chosen === null ? [] : [chosen]
    })
    const met = [...this.#met].flatMap(([id, hashes]) => this.#collision(id, [...hashes]))
    const remember = [...met, ...(isWhole ? [] : this.#unmet(met))].slice(0, MOST_COLLISIONS)
    const ids = new Set(remember.map(({ id }) => id))
    const over = [...this.#before.keys()].filter((id) => !ids.has(id))
    return { idCollisions: [...ids], over, changed, remember }
  }

  /** The row of the followed record, where the pass did not meet it as it is known. */
  #chosen(id: string, waiting: readonly Waiting[], isWhole: boolean): PageOfRows | null {
    const [first] = waiting
    if (first === undefined) return null
    const others = this.hashesOf(id)
    const following = { known: first.known, others, hashOf: this.#hashOf }
    const row = followedRow({ id, rows: waiting.map((each) => each.row) }, following)
    // Where a part of the list was not read, the followed one may be there, just as it is known.
    if (row === null || (!isWhole && others.has(this.#hashOf(row.record)))) return null
    return waiting.find((each) => each.row === row)?.page ?? null
  }

  #unmet(met: readonly IdCollision[]): readonly IdCollision[] {
    const ids = new Set(met.map(({ id }) => id))
    return [...this.#before.values()].filter(({ id }) => !ids.has(id))
  }

  #collision(id: string, hashes: readonly string[]): readonly IdCollision[] {
    if (hashes.length < 2) return []
    const passes = Math.max((this.#before.get(id)?.passes ?? 0) + 1, LEAST_PASSES)
    return [{ id, hashes, passes, isProved: true }]
  }

  #note(id: string, hashes: readonly string[]): void {
    const met = this.#met.get(id) ?? new Set<string>()
    for (const contentHash of hashes) if (met.size < MOST_HASHES) met.add(contentHash)
    this.#met.set(id, met)
  }
}

/** The page without rows that are not committed with it, so that the same answer is not taken for known. */
export function withoutRows(page: PageOfRows, ids: ReadonlySet<string>): PageOfRows {
  const rest = onlyRecords(page, (id) => !ids.has(id))
  return { ...rest, rejectedIds: [...rest.rejectedIds, ...ids] }
}

/** An id that one page shows with rows of different meaning. */
export interface DoubledId {
  readonly id: string
  readonly rows: readonly RecordRow[]
}

/** Equal for records of equal meaning. */
export type HashOf = (record: JsonObject) => string

/** By what the records of a list are compared. */
export function hashOfMeaning({ account, watch }: Pick<ListContext, 'account' | 'watch'>): HashOf {
  const resource = RECORD_OF[watch]
  const ignore = ignoredPaths(account, resource)
  return (record) => canonicalHash(resource, record, ignore)
}

/** The ids that a page shows with several records. Rows that mean the same are no matter. */
export function doubledIds({ rows }: Pick<Page, 'rows'>, hashOf: HashOf): readonly DoubledId[] {
  const once = new Set<string>()
  const again = new Set<string>()
  for (const { id, kind } of rows) {
    if (id === null || kind === 'rejected') continue
    if (once.has(id)) again.add(id)
    once.add(id)
  }
  return [...again].flatMap((id) => {
    const own = rows.filter((row): row is RecordRow => row.kind === 'record' && row.id === id)
    return new Set(own.map(({ record }) => hashOf(record))).size < 2 ? [] : [{ id, rows: own }]
  })
}

interface Following {
  /** The record as it is known; null: it is not. */
  readonly known: JsonObject | null
  /** What records mean that have had the id beside the known one. */
  readonly others: ReadonlySet<string>
  readonly hashOf: HashOf
}

/**
 * Which of several records under one id is the known one, whatever their order. It is the one that means the same, else what is
 * not another's, else the one that differs in the fewest fields. Where none is known, any will do that stays the same.
 */
function followedRow({ rows }: DoubledId, { hashOf, known, others }: Following): RecordRow | null {
  const knownHash = known === null ? null : hashOf(known)
  const ranked = rows.map((row) => {
    const contentHash = hashOf(row.record)
    const isOther = contentHash !== knownHash && others.has(contentHash)
    const differs = known === null || contentHash === knownHash ? 0 : differingFields(row.record, known, hashOf)
    return { row, rank: [Number(contentHash !== knownHash), Number(isOther), differs], contentHash }
  })
  const [first] = ranked.toSorted((left, right) => {
    const differing = left.rank.findIndex((each, index) => each !== right.rank[index])
    if (differing !== -1) return (left.rank[differing] ?? 0) - (right.rank[differing] ?? 0)
    return left.contentHash < right.contentHash ? -1 : 1
  })
  return first?.row ?? null
}

/** The page with one row of each doubled id. */
export function withOnly(page: Page, followed: ReadonlyMap<string, RecordRow>): Page {
  if (followed.size === 0) return page
  const stays = (row: Row): boolean => {
    const only = row.kind === 'record' ? followed.get(row.id) : undefined
    return only === undefined || only === row
  }
  return { ...page, rows: page.rows.filter(stays) }
}

function differingFields(one: JsonObject, other: JsonObject, hashOf: HashOf): number {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => hashOf({ [name]: one[name] ?? null }) !== hashOf({ [name]: other[name] ?? null }))
    .length
}
