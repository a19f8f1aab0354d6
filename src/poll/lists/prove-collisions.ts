import type { JsonObject } from '../../model/json.ts'
import { RECORD_OF } from '../../model/resource.ts'
import { TAKE } from '../../plan/paging.ts'
import type { ListContext } from '../poll-context.ts'
import { ask } from '../requests/ask.ts'
import type { ShownCollision, Suspect } from './id-collisions.ts'
import type { Proof } from './removals.ts'

/** Where no fetch by the id says anything, so many passes in a row decide. */
const PASSES_WITHOUT_FETCH = 3

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
 * Whether an id is of two records: a fetch by it shows one of them, and the page that showed the other still does. One record
 * that alternates would have changed twice between the fetch and the page. One fetch and one page for each id.
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

/** A fetch may show more of a record than its row does: only what tells the two apart is compared. */
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
  const how = { accountClient, signal, of: 'list', place: { watch, skip }, priority: 'verification', tries: 1 } as const
  const answer = await ask(async () => platform.list(RECORD_OF[watch], request, signal), how)
  if (answer.kind === 'failed' || answer.value === null) return false
  if (answer.value === 'unchanged' || !('rows' in answer.value)) return false
  return answer.value.rows.some((row) => row.kind === 'record' && row.id === id && hashOf(row.record) === contentHash)
}
