import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import type { Change, EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { payloadComplaints } from '../support/payload-schema.ts'
import { detect, type Reading } from './reads.ts'

interface Case {
  readonly name: string
  readonly resource: RecordResource
  /** Readings before `before`, oldest first; the first of all is silent. */
  readonly history?: readonly (JsonObject | null)[]
  /** null: this is the first reading. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly mode?: 'ring' | 'silent'
  readonly id?: string
  readonly ignore?: readonly string[]
  readonly expect: { readonly events: readonly ExpectedEvent[] }
}

interface ExpectedEvent {
  readonly type: string
  readonly cause?: string
  /** All of them, in any order. */
  readonly changes?: readonly Change[] | null
  /** A part of the extras. */
  readonly extras?: JsonObject
}

const FOLDER = new URL('cases/', import.meta.url)
const FILES = globSync('*/*.json', { cwd: FOLDER.pathname }).sort()
const CASES = FILES.map((file): Case => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')))

/** What every reading of a case has in common. */
function common({ resource, id, ignore }: Case): Pick<Reading, 'resource' | 'id' | 'ignore'> {
  return { resource, ...(id === undefined ? {} : { id }), ...(ignore === undefined ? {} : { ignore }) }
}

function known(each: Case): { state: RecordState | null; readings: number } {
  const { history = [], before } = each
  const readings = before === null ? history : [...history, before]
  let state: RecordState | null = null
  for (const [day, after] of readings.entries()) {
    state = detect({ ...common(each), before: state, after, day, mode: day === 0 ? 'silent' : 'ring' }).state
  }
  return { state, readings: readings.length }
}

function byPath(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((left, right) => (key(left) < key(right) ? -1 : 1))
}

function expectEvent(event: EventDraft | undefined, expected: ExpectedEvent): void {
  if (expected.cause !== undefined) expect(event?.cause).toBe(expected.cause)
  if (expected.extras !== undefined) expect(event?.extras).toMatchObject(expected.extras)
  if (expected.changes === null) expect(event?.changes).toBeNull()
  else if (expected.changes !== undefined) expect(byPath(event?.changes ?? [])).toEqual(byPath(expected.changes))
}

describe.for([...new Set(CASES.map(({ resource }) => resource))])('%s', (resource) => {
  it.for(CASES.filter((each) => each.resource === resource))('$name', (each) => {
    const { state, readings } = known(each)
    const day = readings + 1
    const { events, state: next } = detect({
      ...common(each),
      before: state,
      after: each.after,
      day,
      mode: each.mode ?? 'ring',
    })
    expect(events.map((event) => event.type)).toEqual(each.expect.events.map((event) => event.type))
    for (const [index, expected] of each.expect.events.entries()) expectEvent(events[index], expected)
    for (const event of events) expect(payloadComplaints({ ...event, sequence: 1 })).toEqual([])
    if (each.after !== null) expect([next.seen, next.reported]).toEqual([each.after, each.after])
    expect(next.version).toBe((state?.version ?? 0) + events.length)
  })
})

it('every event type that tells a difference has a case', () => {
  const emitted = new Set(CASES.flatMap((each) => each.expect.events.map((event) => event.type)))
  const types = EVENT_CATALOGUE.filter((info) => info.family === 'diff').map((info) => info.type)
  // No two readings tell that a record went and returned: `removal.test.ts` has these.
  const emittedElsewhere = /\.(?:removed|restored)$/
  expect(types.filter((type) => !emittedElsewhere.test(type) && !emitted.has(type))).toEqual([])
})

function key({ path, removed }: Change): string {
  return `${path} ${removed === true ? 0 : 1}`
}
