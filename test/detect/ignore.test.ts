import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare } from '../../src/detect/compare/compare.ts'
import { comparedView } from '../../src/detect/ignore/compared-view.ts'
import { ignoredPaths, type AccountSettings } from '../../src/model/account.ts'
import { RESOURCE_RULES } from '../../src/detect/resource-rules.ts'
import type { Change } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { ARBITRARIES, evolving } from './arbitraries.ts'
import { anyIndex } from './leaf-bag.ts'
import { baseline, detect } from './reads.ts'

const RUNS = { numRuns: 100 }
/** What pairs tracking events in the end; without it they pair otherwise. */
const EVENT_DATE = '/tracking_steps/*/events/*/date'

/** Two readings of a record, and patterns of some of its changes or of what stands above them. */
function withIgnored(resource: keyof typeof ARBITRARIES) {
  const { shape } = RESOURCE_RULES[resource]
  return evolving(ARBITRARIES[resource]).chain(([before, after]) => {
    const changed = compare(shape, before, after).map(({ path }) => anyIndex(path))
    const patterns = [...new Set(changed.flatMap(ancestors))].filter((path) => path !== EVENT_DATE)
    return fc.record({ before: fc.constant(before), after: fc.constant(after), ignore: fc.subarray(patterns) })
  })
}

function ancestors(path: string): readonly string[] {
  const steps = path.split('/').slice(1)
  return steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)
}

function isBelow(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => path === pattern || path.startsWith(`${pattern}/`))
}

/** A change without the places of elements: of two that are alike but for what is ignored, either may be told. */
function whatever({ path, from, to }: Change): string {
  return JSON.stringify([anyIndex(path), from, to])
}

describe.for(['shipment', 'tracking', 'invoice', 'purchase_order', 'location'] as const)(
  'a %s of which some is ignored',
  (resource) => {
    const { shape } = RESOURCE_RULES[resource]

    it('differs as it would if that were not there', () => {
      fc.assert(
        fc.property(withIgnored(resource), ({ before, after, ignore }) => {
          const view = comparedView(shape, ignore)
          const emitted = compare(view.shape, before, after).map(whatever)
          expect(emitted.sort()).toEqual(compare(shape, view.of(before), view.of(after)).map(whatever).sort())
        }),
        RUNS,
      )
    })

    it('tells nothing of it, and each other leaf once', () => {
      fc.assert(
        fc.property(withIgnored(resource), ({ before, after, ignore }) => {
          const { events } = detect({ resource, before: baseline(resource, before), after, ignore })
          const paths = events.flatMap(({ changes }) => changes ?? []).map(({ path, removed }) => ({ path, removed }))
          expect(paths.filter(({ path }) => isBelow(anyIndex(path), ignore))).toEqual([])
          expect(new Set(paths.map((each) => JSON.stringify(each))).size).toBe(paths.length)
        }),
        RUNS,
      )
    })
  },
)

function parse(text: string): JsonObject {
  return JSON.parse(text)
}

function watching(positions: boolean): Pick<AccountSettings, 'watch'> {
  return { watch: { tracking: { everyMs: 1, ignore: ['/x'], positions } } }
}

describe('what is ignored', () => {
  it('is in the record that an event shows, and in the elements it names', () => {
    const box = { container_number: 'A', seal_number: '1', read_at: 1 }
    const before = baseline('shipment', { read_at: 1, cargo: { containers: [box] } })
    const after = { read_at: 2, cargo: { containers: [{ ...box, seal_number: '2', read_at: 2 }] } }
    const ignore = ['/read_at', '/cargo/containers/*/read_at']
    const { events, state } = detect({ resource: 'shipment', before, after, ignore })
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ object: after, extras: { container: after.cargo.containers[0] } })
    expect(state).toMatchObject({ seen: after, reported: after })
  })

  it('is no part of an id, so that a repeated read rings the same one', () => {
    const before = baseline('shipment', { name: 'A', read_at: 1 })
    const [one, other] = [2, 3].map((readAt) =>
      detect({ resource: 'shipment', before, after: { name: 'B', read_at: readAt }, ignore: ['/read_at'] }),
    )
    expect(one?.events).toHaveLength(1)
    expect(one?.events[0]?.id).toBe(other?.events[0]?.id)
  })

  it('may have names that objects inherit', () => {
    const before = baseline('shipment', parse('{"__proto__":{"a":1},"constructor":1,"toString":1}'))
    const after = parse('{"__proto__":{"a":2},"constructor":2,"toString":2}')
    const typesWith = (ignore: readonly string[]): readonly string[] =>
      detect({ resource: 'shipment', before, after, ignore }).events.flatMap(({ changes }) =>
        (changes ?? []).map(({ path }) => path),
      )
    expect(typesWith(['/__proto__/a'])).toEqual(['/constructor', '/toString'])
    expect(typesWith(['/__proto__', '/constructor'])).toEqual(['/toString'])
  })

  it('is, of a tracking, its positions unless they are watched', () => {
    expect(ignoredPaths(watching(false), 'tracking')).toEqual(['/x', '/ocean_coordinates'])
    expect(ignoredPaths(watching(true), 'tracking')).toEqual(['/x'])
    expect(ignoredPaths(watching(true), 'purchase_order')).toEqual([])
    // Thousands of accounts share what is compiled by it.
    expect(ignoredPaths(watching(true), 'tracking')).toBe(ignoredPaths(watching(true), 'tracking'))
  })
})
