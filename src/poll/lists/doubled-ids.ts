import { canonicalHash } from '../../detect/canonical-hash.ts'
import { ignoredPaths } from '../../model/account.ts'
import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import type { Page, RecordRow, Row } from '../../platform/outcome.ts'
import type { ListContext } from '../poll-context.ts'

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

export interface Following {
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
export function followedRow({ rows }: DoubledId, { hashOf, known, others }: Following): RecordRow | null {
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
