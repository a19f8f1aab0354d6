import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import type { Change, EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordResource } from '../../src/model/resource.ts'
import { detect } from './reads.ts'

interface Case {
  readonly name: string
  readonly resource: RecordResource
  /** Readings before `before`, oldest first; the first of all is silent. */
  readonly history?: readonly (JsonObject | null)[]
  /** null: this is the first reading. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly mode?: 'ring' | 'silent'
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

function known({ resource, history = [], before }: Case): { state: RecordState | null; readings: number } {
  const readings = before === null ? history : [...history, before]
  let state: RecordState | null = null
  for (const [day, after] of readings.entries()) {
    state = detect({ resource, before: state, after, day, mode: day === 0 ? 'silent' : 'ring' }).state
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

describe.for(['shipment', 'tracking', 'invoice'] as const)('%s', (resource) => {
  it.for(CASES.filter((each) => each.resource === resource))('$name', (each) => {
    const { state, readings } = known(each)
    const day = readings + 1
    const { events, state: next } = detect({
      resource,
      before: state,
      after: each.after,
      day,
      mode: each.mode ?? 'ring',
    })
    expect(events.map((event) => event.type)).toEqual(each.expect.events.map((event) => event.type))
    for (const [index, expected] of each.expect.events.entries()) expectEvent(events[index], expected)
    if (each.after !== null) expect([next.seen, next.reported]).toEqual([each.after, each.after])
    expect(next.version).toBe((state?.version ?? 0) + events.length)
  })
})

it('every event type of these resources has a case', () => {
  const told = new Set(CASES.flatMap((each) => each.expect.events.map((event) => event.type)))
  const types = EVENT_CATALOGUE.filter((info) => info.family !== 'service').map((info) => info.type)
  expect(types.filter((type) => !told.has(type))).toEqual([])
})

function key({ path, removed }: Change): string {
  return `${path} ${removed === true ? 0 : 1}`
}
