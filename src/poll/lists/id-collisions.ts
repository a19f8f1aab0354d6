import type { JsonObject } from '../../model/json.ts'
import type { IdCollision } from '../../store/list-state.ts'
import type { Revised } from '../ingest/update-record.ts'
import { onlyRecords, type PageOfRows } from './page-of-rows.ts'

/** So many complete passes in a row have to meet the same two records before a fetch by id is asked whether they are two. */
const LEAST_PASSES = 2
/** Ids that a pass asks about; the next one asks about others. */
const MOST_SUSPECTS = 5
/** Of a list that shows nothing else, the rest rings on. */
const MOST_COLLISIONS = 1_000
const MOST_HASHES = 10

/** A record that a pass showed under an id, and the page that it was on. */
export interface ShownCollision {
  readonly contentHash: string
  readonly record: JsonObject
  readonly skip: number
}

/** An id under which passes in a row met the same records; `shown`: those of the last one, in its order. */
export interface Suspect {
  readonly id: string
  readonly passes: number
  readonly shown: readonly ShownCollision[]
}

/** An older store does not say whether it was proved: it went by passes alone. */
function isTwo(collision: IdCollision | undefined): boolean {
  return collision !== undefined && collision.passes >= LEAST_PASSES && collision.isProved !== false
}

/**
 * Two different records that carry one id. A pass may meet one record twice, because rows shift between pages, and find it
 * changed: that is believed, and so is one that goes on changing back and forth. Where two complete passes in a row met the same
 * two records under an id, and a fetch by it says that they are two (`prove-collisions.ts`), its known record stays what it is for as long as passes meet both: rows that show the other one wait for the end of the
 * pass. One that is then alone is a change like any other, and what neither was is told at once.
 */
export class IdCollisions {
  readonly #hashOf: (record: JsonObject) => string
  readonly #before: ReadonlyMap<string, IdCollision>
  /** The content hashes of the records that this pass met, of ids with more than one. */
  readonly #met = new Map<string, Set<string>>()
  /** Rows of ids that may be two records, by their content hashes. */
  readonly #shown = new Map<string, Map<string, ShownCollision>>()
  readonly #waiting = new Map<string, PageOfRows>()
  /** Ids of which this pass met the known record, or one that is new. */
  readonly #followed = new Set<string>()

  constructor(before: readonly IdCollision[], hashOf: (record: JsonObject) => string) {
    this.#hashOf = hashOf
    this.#before = new Map(before.map((collision) => [collision.id, collision]))
  }

  /** Ids of two records, as far as earlier passes tell. */
  has(id: string): boolean {
    return isTwo(this.#before.get(id))
  }

  /** Takes out the rows that wait for the end of the pass. `known`: the records that colliding ids of the page are known by. */
  sift(page: PageOfRows, known: ReadonlyMap<string, JsonObject>): PageOfRows {
    const waits = new Set<string>()
    for (const [id, row] of page.records) {
      if (this.#before.has(id)) this.#show(id, row.record, page.place?.skip ?? null)
      const stored = known.get(id)
      if (!this.has(id) || stored === undefined) continue
      const [contentHash, knownHash] = [this.#hashOf(row.record), this.#hashOf(stored)]
      if (contentHash === knownHash || this.#before.get(id)?.prints.includes(contentHash) !== true) {
        this.#followed.add(id)
        continue
      }
      waits.add(id)
      this.#note(id, [contentHash, knownHash])
    }
    const without = { ...page, rejectedIds: [] }
    for (const id of waits) {
      const own = { ...onlyRecords(without, (each) => each === id), place: null }
      this.#waiting.set(id, own)
    }
    if (waits.size === 0) return page
    const rest = onlyRecords(page, (id) => !waits.has(id))
    return { ...rest, rejectedIds: [...rest.rejectedIds, ...waits] }
  }

  /** Takes note of the records that a page changed although this pass had met them before. */
  noteAlternations({ metBefore, records }: PageOfRows, revised: readonly Revised[]): void {
    for (const { id, before } of revised) {
      const after = records.get(id)?.record
      if (!metBefore.has(id) || before?.seen == null || after === undefined) continue
      this.#note(id, [this.#hashOf(before.seen), this.#hashOf(after)])
    }
  }

  /** The pass is complete: ids of two records, ids that are so no longer, rows that are alone after all, and what to remember. */
  end(): {
    readonly idCollisions: readonly string[]
    readonly over: readonly string[]
    readonly alone: readonly PageOfRows[]
    readonly remember: readonly IdCollision[]
    /** Ids of which a fetch has to say whether they are of two records. */
    readonly suspects: readonly Suspect[]
  } {
    const alone = [...this.#waiting].filter(([id]) => !this.#followed.has(id))
    for (const [id] of alone) this.#met.delete(id)
    const remember = [...this.#met]
      .flatMap(([id, prints]) => this.#collision(id, [...prints]))
      .slice(0, MOST_COLLISIONS)
    const idCollisions = new Set(remember.filter(isTwo).map(({ id }) => id))
    const suspects = remember
      .filter((collision) => collision.passes >= LEAST_PASSES && !idCollisions.has(collision.id))
      .map(({ id, passes }) => ({ id, passes, shown: [...(this.#shown.get(id)?.values() ?? [])] }))
      .filter(({ shown }) => shown.length >= 2)
      .toSorted((left, right) => left.passes - right.passes)
    return {
      idCollisions: [...idCollisions],
      over: [...this.#before.keys()].filter((id) => this.has(id) && !idCollisions.has(id)),
      alone: alone.map(([, page]) => page),
      remember,
      suspects: suspects.slice(0, MOST_SUSPECTS),
    }
  }

  #collision(id: string, prints: readonly string[]): readonly IdCollision[] {
    if (prints.length < 2) return []
    const before = this.#before.get(id)
    const again = prints.filter((contentHash) => before?.prints.includes(contentHash) === true).length >= 2
    if (!again) return [{ id, prints, passes: 1, isProved: false }]
    return [{ id, prints, passes: (before?.passes ?? 0) + 1, isProved: isTwo(before) }]
  }

  /** The last showing stands last. */
  #show(id: string, record: JsonObject, skip: number | null): void {
    const shown = this.#shown.get(id) ?? new Map<string, ShownCollision>()
    const contentHash = this.#hashOf(record)
    shown.delete(contentHash)
    if (skip !== null && shown.size < MOST_HASHES) shown.set(contentHash, { contentHash, record, skip })
    this.#shown.set(id, shown)
  }

  #note(id: string, prints: readonly string[]): void {
    const met = this.#met.get(id) ?? new Set<string>()
    for (const contentHash of prints) if (met.size < MOST_HASHES) met.add(contentHash)
    this.#met.set(id, met)
  }
}
