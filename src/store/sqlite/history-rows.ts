import type { SeenChange } from '../history-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const SEEN = new Query<SeenChange>(`
  SELECT DISTINCT event.resource, event.subject_id AS id, event.not_before AS notBefore, event.not_after AS notAfter,
    pages.skip
  FROM events AS event INDEXED BY events_time
    LEFT JOIN reads
      ON reads.account = event.account AND reads.resource = event.resource AND reads.id = event.subject_id
    LEFT JOIN pages ON pages.ref = reads.page
  WHERE event.stored_at >= :since AND event.account = :account AND event.cause IN ('change', 'correction')
    AND event.not_before < event.not_after
    AND event.type NOT LIKE '%.removed' AND event.type NOT LIKE '%.restored'
  ORDER BY event.not_after, event.subject_id`)

export function changesSeen(db: Connection, account: string, since: number): readonly SeenChange[] {
  return db.all(SEEN, { account, since })
}
