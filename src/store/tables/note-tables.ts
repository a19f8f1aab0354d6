import type { NoteTopic } from '../../model/note.ts'
import type { RecordResource } from '../../model/resource.ts'
import { INTEGER, table, TEXT, text, TEXT_OR_NULL } from './table.ts'

/** What moved and is to be derived from, and what belongs to a shipment. */
export const NOTE_TABLES = {
  topics: table('topics', ['account', 'topic'], { account: TEXT, topic: text<NoteTopic>(), settings: TEXT }),
  notes: table('notes', ['account', 'topic', 'resource', 'id'], {
    account: TEXT,
    topic: text<NoteTopic>(),
    resource: text<RecordResource>(),
    id: TEXT,
    number: INTEGER,
    fresh: INTEGER,
    because: TEXT_OR_NULL,
  }),
  links: table('links', ['account', 'shipment', 'resource', 'id'], {
    account: TEXT,
    shipment: TEXT,
    resource: text<RecordResource>(),
    id: TEXT,
  }),
}
