import { ShipbellError } from '../../errors.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { RecordWrite } from '../ports/commit-port.ts'
import type { Documents } from '../events/event-rows.ts'

export interface RecordRow {
  readonly resource: SubjectResource
  readonly id: string
  readonly seen_body: number | null
  readonly reported_body: number | null
  readonly version: number
  readonly last_event_id: string | null
  readonly at_baseline: number
  readonly first_seen_at: number
  readonly closed_at: number | null
  readonly removed_at: number | null
  readonly next_edge_at: number | null
  readonly memory: string
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

export function conflict(account: string, { state, expectedVersion }: RecordWrite): ShipbellError {
  const expected = expectedVersion === null ? 'was expected to be new' : `is no longer at version ${expectedVersion}`
  return new ShipbellError(
    'store_conflict',
    `The ${state.resource} ${state.id} of account ${account} ${expected}: read it again and compare anew.`,
  )
}

/** The search terms of a record as its row keeps them, in JSON; null: it has none. */
export function parseTerms(stored: string | null): readonly string[] {
  return JSON.parse(stored ?? '[]')
}
