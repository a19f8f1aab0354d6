import { detectChange } from '../../src/detect/detect-change.ts'
import type { Detected, DetectInput } from '../../src/detect/detect-input.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'

const DAY = 86_400_000
const START = Date.parse('2026-01-01T00:00:00Z')

/** The n-th of a series of reads, a day apart, each answered after a second. */
export function readAt(day: number): DetectInput['read'] {
  return { sentAt: START + day * DAY, answeredAt: START + day * DAY + 1_000 }
}

export interface Reading {
  readonly resource: RecordResource
  readonly before?: RecordState | null
  readonly after: JsonObject | null
  readonly day?: number
  readonly mode?: 'ring' | 'silent'
  readonly id?: string
  readonly ignore?: readonly string[]
}

/** As by default: nothing but positions, which few want to hear of. */
const BY_DEFAULT: readonly string[] = ['/ocean_coordinates']

/** Detects with an account and an id that no test cares about. */
export function detect(reading: Reading): Detected {
  const { resource, before = null, after, day = 1, mode = 'ring', id = 'SHP-1', ignore = BY_DEFAULT } = reading
  return detectChange({
    account: 'acme',
    resource,
    id,
    before,
    after,
    read: readAt(day),
    mode,
    absentAt: null,
    ignore,
    shipment: null,
  })
}

/** What is known of a record after a silent read on day 0. */
export function baseline(resource: RecordResource, record: JsonObject): RecordState {
  return detect({ resource, after: record, day: 0, mode: 'silent' }).state
}

/** Everything that a series of records rings, the first of them read silently. */
export function series(resource: RecordResource, records: readonly JsonObject[]): readonly Detected[] {
  const results: Detected[] = []
  for (const [day, after] of records.entries()) {
    const before = results.at(-1)?.state ?? null
    results.push(detect({ resource, before, after, day, mode: day === 0 ? 'silent' : 'ring' }))
  }
  return results
}
