import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare } from '../../src/detect/compare/compare.ts'
import { toChange } from '../../src/detect/compare/leaf-change.ts'
import { RESOURCE_RULES } from '../../src/detect/resource-rules.ts'
import type { Change, EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { resolvePointer } from '../../src/model/pointer.ts'
import { RECORD_RESOURCES } from '../../src/model/resource.ts'
import { runs } from '../support/runs.ts'
import { ARBITRARIES, evolving, TWIN_TRACKING, ZEROS_SHIPMENT } from './arbitraries.ts'
import { addLeaf, anyIndex, leafBag } from './leaf-bag.ts'
import { rerendered } from './noise.ts'
import { baseline, detect, series } from './reads.ts'

const RUNS = runs(13)
const RECORDS = [
  ...RECORD_RESOURCES.map((resource) => ({ name: resource, resource, record: ARBITRARIES[resource] })),
  { name: 'tracking of twins', resource: 'tracking', record: TWIN_TRACKING },
] as const
/** Positions are watched. */
const NOTHING: readonly string[] = []

function allChanges(events: readonly EventDraft[]): readonly Change[] {
  return events.flatMap((event) => event.changes ?? [])
}

function pathsOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ path, removed }) => `${removed === true ? 'was' : 'is'} ${path}`).sort()
}

function ids(events: readonly EventDraft[]): readonly string[] {
  return events.map((event) => event.id)
}

describe.for(RECORDS)('any $name', ({ resource, record }) => {
  const shape = RESOURCE_RULES[resource].shape
  const evolution = evolving(record)
  const rung = (before: JsonObject, after: JsonObject): readonly EventDraft[] =>
    detect({ resource, before: baseline(resource, before), after, ignore: NOTHING }).events

  it('does not differ from itself', () => {
    fc.assert(
      fc.property(record, (each) => {
        expect(compare(shape, each, structuredClone(each))).toEqual([])
      }),
      RUNS,
    )
  })

  it('rings nothing when it is only rendered otherwise', () => {
    const pairs = record.chain((each) => fc.tuple(rerendered(each), rerendered(each)))
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        expect(rung(before, after)).toEqual([])
      }),
      RUNS,
    )
  })

  it('has every changed leaf in exactly one event, and nothing else', () => {
    fc.assert(
      fc.property(evolution, ([before, after]) => {
        const emitted = pathsOf(allChanges(rung(before, after)))
        expect(new Set(emitted).size).toBe(emitted.length)
        expect(emitted).toEqual(pathsOf(compare(shape, before, after).map(toChange)))
      }),
      RUNS,
    )
  })

  it('shows each change where its path says, as sent', () => {
    fc.assert(
      fc.property(evolution, ([before, after]) => {
        for (const { path, from, to, removed } of allChanges(rung(before, after))) {
          if (removed === true) expect([resolvePointer(before, path), to]).toEqual([from, null])
          else expect(resolvePointer(after, path)).toEqual(to)
        }
      }),
      RUNS,
    )
  })

  it('is, by meaning, what it was with the changes applied', () => {
    fc.assert(
      fc.property(evolution, ([before, after]) => {
        let bag = leafBag(before)
        for (const { path, from, to } of allChanges(rung(before, after))) {
          const without = addLeaf(bag, { path: anyIndex(path), value: from }, -1)
          bag = addLeaf(without, { path: anyIndex(path), value: to }, 1)
        }
        expect(bag).toEqual(leafBag(after))
      }),
      RUNS,
    )
  })

  it('rings the same ids when it is detected again, however it is rendered', () => {
    const noisy = evolution.chain(([before, after]) =>
      fc.tuple(fc.constant(before), fc.constant(after), rerendered(before), rerendered(after)),
    )
    fc.assert(
      fc.property(noisy, ([before, after, otherBefore, otherAfter]) => {
        expect(ids(rung(otherBefore, otherAfter))).toEqual(ids(rung(before, after)))
      }),
      RUNS,
    )
  })

  it('rings an id once only, though it goes to and fro', () => {
    fc.assert(
      fc.property(evolution, ([one, other]) => {
        const results = series(resource, [one, other, one, other, one])
        const rung = results.flatMap(({ events }) => ids(events))
        expect(new Set(rung).size).toBe(rung.length)
        expect(results.at(-1)?.state.version).toBe(rung.length)
      }),
      RUNS,
    )
  })
})

describe('any shipment with identifiers that differ in leading zeros only', () => {
  it('rings nothing when it is only rendered otherwise', () => {
    const pairs = ZEROS_SHIPMENT.chain((each) => fc.tuple(fc.constant(each), rerendered(each)))
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        expect(detect({ resource: 'shipment', before: baseline('shipment', before), after }).events).toEqual([])
        expect(detect({ resource: 'shipment', before: baseline('shipment', after), after: before }).events).toEqual([])
      }),
      RUNS,
    )
  })
})

describe('any JSON', () => {
  it('is compared without failing, and does not differ from itself', () => {
    const object = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'cargo', 'lines', 'tracking_steps', 'events')),
      fc.jsonValue({ maxDepth: 5 }),
    )
    const parsed = object.map((each): JsonObject => JSON.parse(JSON.stringify(each)))
    fc.assert(
      fc.property(parsed, parsed, fc.constantFrom(...RECORD_RESOURCES), (before, after, resource) => {
        const shape = RESOURCE_RULES[resource].shape
        expect(compare(shape, before, structuredClone(before))).toEqual([])
        const { events } = detect({ resource, before: baseline(resource, before), after, ignore: NOTHING })
        const emitted = pathsOf(allChanges(events))
        expect(new Set(emitted).size).toBe(emitted.length)
      }),
      RUNS,
    )
  })
})
