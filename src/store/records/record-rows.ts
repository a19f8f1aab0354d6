import { TABLES } from '../tables/tables.ts'
import type { PlainRowOf } from '../tables/table.ts'
import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { RecordWrite } from '../ports/commit-port.ts'
import type { Documents } from '../events/event-rows.ts'

/** What is written of a record: which rules its content was normalised by is not. */
export const RECORD = TABLES.records.without('normaliser')

const KNOWN = TABLES.records.only(
  'seen_body reported_body version last_event_id at_baseline first_seen_at closed_at removed_at next_edge_at memory',
)

/** The columns of a `RecordRow` that no other table has. */
export const KNOWN_COLUMNS = KNOWN.names

export interface RecordRow extends PlainRowOf<typeof KNOWN> {
  readonly resource: SubjectResource
  readonly id: string
  readonly sent_at: number
  readonly answered_at: number
}

export function toState(row: RecordRow, bodies: Pick<Documents, 'load'>): RecordState {
  return {
    resource: row.resource,
    id: row.id,
    seen: bodies.load(row.seen_body),
    reported: bodies.load(row.reported_body),
    version: row.version,
    lastEventId: row.last_event_id,
    atBaseline: row.at_baseline === 1,
    firstSeenAt: row.first_seen_at,
    closedAt: row.closed_at,
    removedAt: row.removed_at,
    lastRead: { sentAt: row.sent_at, answeredAt: row.answered_at },
    nextEdgeAt: row.next_edge_at,
    memory: JSON.parse(row.memory),
  }
}

/** A subscription is of no account. */
export function accountOf(account: string, resource: SubjectResource): string {
  return resource === 'subscription' ? NO_ACCOUNT : account
}

export function conflict(account: string, { before, state }: RecordWrite): ShipbellError {
  const expected = before === null ? 'was expected to be new' : `is no longer at version ${before.version}`
  return new ShipbellError(
    'store_conflict',
    `The ${state.resource} ${state.id} of account ${account} ${expected}: read it again and compare anew.`,
  )
}

/** The search terms of a record as its row keeps them, in JSON; null: it has none. */
export function parseTerms(stored: string | null): readonly string[] {
  return JSON.parse(stored ?? '[]')
}
