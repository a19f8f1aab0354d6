import { contentHashOf } from '../../src/model/content-hash.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordRow } from '../../src/platform/outcome.ts'

/** A row as the client gives it of a record that it did not know. */
export function recordRow(id: string, record: JsonObject): RecordRow {
  return { kind: 'record', id, isKnown: false, contentHash: contentHashOf(JSON.stringify(record)), record }
}
