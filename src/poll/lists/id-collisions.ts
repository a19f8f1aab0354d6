import { RECORD_OF } from '../../model/resource.ts'
import { TAKE } from '../../plan/paging.ts'
import type { ListContext } from '../poll-context.ts'
import type { Proof } from './complete-pass.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RecordRow } from '../../platform/outcome.ts'
import type { IdCollision } from '../../store/list-port.ts'
import type { Revised } from '../ingest/update-record.ts'
import type { DoubledId } from './doubled-ids.ts'
import { onlyRecords, type PageOfRows } from './page-of-rows.ts'

/** Complete passes in a row that have to meet the same two records before a fetch by id has to show that they are two. */
const LEAST_PASSES = 2
/** Where no fetch by the id works, so many passes in a row decide. */
const PASSES_WITHOUT_FETCH = 3

/** Ids that one pass fetches; the next pass fetches others. */
const MOST_SUSPECTS = 5
/** Collisions that are followed. A list with more shows nothing else, and the rest rings on. */
const MOST_COLLISIONS = 1_000
const MOST_HASHES = 10

/** A record that a pass showed under an id, and the page that it was on. */
interface ShownCollision {
  readonly contentHash: string
  readonly record: JsonObject
  readonly skip: number
}

/** An id under which passes in a row met the same records; `shown`: those of the last one, in its order. */
interface Suspect {
  readonly id: string
  readonly passes: number
  readonly shown: readonly ShownCollision[]
}

/** Whether the id is of two records. In an older store `isProved` is missing: there passes alone decided. */
function isTwo(collision: IdCollision | undefined): boolean {
  return collision !== undefined && collision.passes >= LEAST_PASSES && collision.isProved !== false
}

/**
 * Finds two different records under one id. Those that one page shows are two for certain (`noteDoubled`). Otherwise a pass may
 * meet one record twice, because rows shift between pages, and find it changed. That is believed, even if it changes back and
 * forth. An id counts as that of two records once two complete passes in a row met the same two under it, and a fetch by the id
 * shows that they are two (`provedCollisions`).
 *
 * Shipbell goes on following the record that it knows, as long as passes meet both. Rows with the other record wait for the end
 * of the pass: if the pass did not meet the known record, they are committed like any change. A third record is committed at
 * once.
 */
export class IdCollisions {
  readonly #hashOf: (record: JsonObject) => string
  readonly #before: ReadonlyMap<string, IdCollision>
  /** The content hashes of the records that this pass met, of ids with more than one. */
  readonly #met = new Map<string, Set<string>>()
  /** Ids that one page showed with several records, with the content hashes of those that are not followed. */
  readonly #doubled = new Map<string, ReadonlySet<string>>()
  /** Rows of ids that may be two records, by their content hashes. */
  readonly #shown = new Map<string, Map<string, ShownCollision>>()
  readonly #waiting = new Map<string, PageOfRows>()
  /** Ids under which this pass met the known record, or a third one. */
  readonly #followed = new Set<string>()

  constructor(before: readonly IdCollision[], hashOf: (record: JsonObject) => string) {
    this.#hashOf = hashOf
    this.#before = new Map(before.map((collision) => [collision.id, collision]))
  }

  /** Whether earlier passes have shown no id to be of more than one record: hardly ever do they. */
  get isEmpty(): boolean {
    return this.#before.size === 0 && this.#doubled.size === 0
  }

  /** Ids of two records, as far as earlier passes have shown, or a page of this one. */
  has(id: string): boolean {
    return isTwo(this.#before.get(id)) || this.#doubled.has(id)
  }

  /** What records have meant that were met under an id beside the followed one, and what this one meant before the pass. */
  hashesOf(id: string): ReadonlySet<string> {
    return new Set([...(this.#before.get(id)?.hashes ?? []), ...(this.#doubled.get(id) ?? [])])
  }

  /** One page showed several records under an id, which no single one can do that changes. */
  noteDoubled({ id, rows }: DoubledId, followed: RecordRow): void {
    const hashes = rows.map(({ record }) => this.#hashOf(record))
    const others = new Set([...(this.#doubled.get(id) ?? []), ...hashes])
    others.delete(this.#hashOf(followed.record))
    this.#doubled.set(id, others)
    this.#followed.add(id)
    this.#note(id, hashes)
  }

  /** Takes out the rows that wait for the end of the pass. `known`: the records that colliding ids of the page are known by. */
  sift(page: PageOfRows, known: ReadonlyMap<string, JsonObject>): PageOfRows {
    if (this.isEmpty) return page
    const waits = new Set<string>()
    for (const [id, row] of page.records) {
      if (this.#before.has(id)) this.#show(id, row.record, page.place?.skip ?? null)
      const stored = known.get(id)
      if (!this.has(id) || stored === undefined) continue
      const [contentHash, knownHash] = [this.#hashOf(row.record), this.#hashOf(stored)]
      if (contentHash === knownHash || !this.hashesOf(id).has(contentHash)) {
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

  /**
   * The pass is over. Returns the ids of two records, the ids that are of two no longer (`over`), the rows whose other record
   * did not come (`alone`), and what to remember. Where the pass was not whole, the other record may be where it could not read:
   * ids that it did not meet twice stay as they are.
   */
  end(isWhole: boolean): {
    readonly idCollisions: readonly string[]
    readonly over: readonly string[]
    readonly alone: readonly PageOfRows[]
    readonly remember: readonly IdCollision[]
    /** Ids for which a fetch has to say whether they are of two records. */
    readonly suspects: readonly Suspect[]
  } {
    const alone = [...this.#waiting].filter(([id]) => !this.#followed.has(id))
    for (const [id] of alone) this.#met.delete(id)
    const met = [...this.#met].flatMap(([id, hashes]) => this.#collision(id, [...hashes]))
    const remember = [...met, ...(isWhole ? [] : this.#unmet(met))].slice(0, MOST_COLLISIONS)
    const idCollisions = new Set(remember.filter(isTwo).map(({ id }) => id))
    const suspects = remember
      .filter((collision) => collision.passes >= LEAST_PASSES && !idCollisions.has(collision.id))
      .map(({ id, passes }) => ({ id, passes, shown: [...(this.#shown.get(id)?.values() ?? [])] }))
      .filter(({ shown }) => shown.length >= 2)
      .toSorted((left, right) => left.passes - right.passes)
    return {
      idCollisions: [...idCollisions],
      over: [...this.#before.keys()].filter((id) => this.has(id) && !idCollisions.has(id)),
      alone: isWhole ? alone.map(([, page]) => page) : [],
      remember,
      suspects: suspects.slice(0, MOST_SUSPECTS),
    }
  }

  #unmet(met: readonly IdCollision[]): readonly IdCollision[] {
    const ids = new Set(met.map(({ id }) => id))
    return [...this.#before.values()].filter(({ id }) => !ids.has(id))
  }

  #collision(id: string, hashes: readonly string[]): readonly IdCollision[] {
    if (hashes.length < 2) return []
    const before = this.#before.get(id)
    if (this.#doubled.has(id)) {
      const passes = Math.max((before?.passes ?? 0) + 1, LEAST_PASSES)
      return [{ id, hashes, passes, isProved: true }]
    }
    const again = hashes.filter((contentHash) => before?.hashes.includes(contentHash) === true).length >= 2
    if (!again) return [{ id, hashes, passes: 1, isProved: false }]
    return [{ id, hashes, passes: (before?.passes ?? 0) + 1, isProved: isTwo(before) }]
  }

  /** A record that is shown again moves to the end. */
  #show(id: string, record: JsonObject, skip: number | null): void {
    const shown = this.#shown.get(id) ?? new Map<string, ShownCollision>()
    const contentHash = this.#hashOf(record)
    shown.delete(contentHash)
    if (skip !== null && shown.size < MOST_HASHES) shown.set(contentHash, { contentHash, record, skip })
    this.#shown.set(id, shown)
  }

  #note(id: string, hashes: readonly string[]): void {
    const met = this.#met.get(id) ?? new Set<string>()
    for (const contentHash of hashes) if (met.size < MOST_HASHES) met.add(contentHash)
    this.#met.set(id, met)
  }
}

interface CollisionProof {
  readonly proof: Proof
  /** Equal texts, equal meaning. */
  readonly hashOf: (record: JsonObject) => string
  readonly signal: AbortSignal
}

/** Those of the ids that are of two records. */
export async function provedCollisions(
  context: ListContext,
  suspects: readonly Suspect[],
  collision: CollisionProof,
): Promise<readonly string[]> {
  const proved: string[] = []
  for (const suspect of suspects) if (await areTwo(context, suspect, collision)) proved.push(suspect.id)
  return proved
}

/**
 * Whether an id is of two records. It is if a fetch by the id shows one of them while the page of the other still shows the
 * other: a single record that alternates would have had to change in between. This takes one fetch and one page for each id.
 */
async function areTwo(context: ListContext, suspect: Suspect, collision: CollisionProof): Promise<boolean> {
  const { id, passes, shown } = suspect
  const answer = await collision.proof(id)
  if (answer.kind === 'failed' && answer.why === 'trouble') return false
  if (answer.kind === 'failed' || answer.value === null) return passes >= PASSES_WITHOUT_FETCH
  const fetched = answer.value
  const [one, other] = shown.slice(-2)
  if (one === undefined || other === undefined) return false
  const differing = fieldsThatDiffer(one, other, collision)
  const agrees = ({ record }: ShownCollision): boolean =>
    differing.every((name) => hashOfField(record, name, collision) === hashOfField(fetched, name, collision))
  if (agrees(one)) return stillShows(context, { id, shown: other }, collision)
  return agrees(other) && stillShows(context, { id, shown: one }, collision)
}

/** A fetch may show more of a record than its row does: only what distinguishes the two is compared. */
function fieldsThatDiffer(one: ShownCollision, other: ShownCollision, collision: CollisionProof): readonly string[] {
  const names = new Set([...Object.keys(one.record), ...Object.keys(other.record)])
  return [...names].filter(
    (name) => hashOfField(one.record, name, collision) !== hashOfField(other.record, name, collision),
  )
}

function hashOfField(record: JsonObject, name: string, { hashOf }: CollisionProof): string {
  return hashOf({ [name]: record[name] ?? null })
}

async function stillShows(
  { account, accountClient, platform, watch }: ListContext,
  { id, shown: { contentHash, skip } }: { readonly id: string; readonly shown: ShownCollision },
  { hashOf, signal }: CollisionProof,
): Promise<boolean> {
  const request = { skip, take: TAKE, shipmentIdField: account.shipmentIdField }
  const how = { signal, of: 'list', place: { watch, skip }, priority: 'verification', tries: 1 } as const
  const answer = await accountClient.ask(async () => platform.list(RECORD_OF[watch], request, signal), how)
  if (answer.kind === 'failed' || answer.value === null) return false
  if (answer.value === 'unchanged' || !('rows' in answer.value)) return false
  return answer.value.rows.some((row) => row.kind === 'record' && row.id === id && hashOf(row.record) === contentHash)
}
