import * as fc from 'fast-check'

const IDS = ['A', 'B', 'C', 'D', 'ä\0ö', "O'Neil"] as const
const id = fc.constantFrom(...IDS)
const ids = fc.subarray([...IDS])
const resource = fc.constantFrom('shipment', 'shipment', 'invoice')
const account = fc.constantFrom('acme', 'acme', 'beta')
const maybe = <X>(of: fc.Arbitrary<X>): fc.Arbitrary<X | null> => fc.option(of, { nil: null, freq: 3 })
const date = maybe(fc.nat(3))

/** Of a record. */
const content = fc.record({
  status: fc.constantFrom('booked', 'in_transit', 'delivered'),
  name: fc.constantFrom('Blue chairs', 'Red tables', 'nul \0 and half \ud800'),
  departure: date,
  arrival: date,
})

const writing = fc.record({
  id,
  content: fc.oneof(content, fc.constantFrom('same' as const, 'nothing' as const)),
  reports: fc.boolean(),
  rings: fc.constantFrom('created', 'changed', 'removed', 'none'),
  to: fc.subarray(['erp', 'ops']),
  removed: fc.boolean(),
  read: fc.constantFrom('shown', 'shown', 'hidden', 'none'),
  etag: maybe(fc.constantFrom('"1"', '"2"')),
  phase: maybe(fc.constantFrom('at_sea', 'near_arrival')),
  expects: fc.constantFrom('known', 'known', 'known', 'known', 'known', 'known', 'older'),
})

const commit = fc.record({
  do: fc.constant('commit' as const),
  account,
  resource,
  writes: fc.array(writing, { maxLength: 4 }),
  page: maybe(
    fc.record({
      kind: fc.constantFrom('shown', 'shown', 'same'),
      skip: fc.constantFrom(0, 100),
      pass: fc.boolean(),
      rows: fc.constantFrom(3, 3, 0),
      ids,
      validator: fc.boolean(),
      isFresh: fc.boolean(),
    }),
  ),
  list: maybe(fc.record({ completes: fc.boolean() })),
  unchanged: maybe(fc.record({ ids, etag: maybe(fc.constant('"3"')) })),
  met: maybe(ids),
  missed: maybe(ids),
  learnt: maybe(fc.array(fc.nat(3))),
  quarantine: maybe(fc.record({ remember: ids, forget: ids })),
  stands: maybe(ids),
  closes: fc.constantFrom('one', 'all', 'none', 'none', 'none'),
  hold: fc.constantFrom('set', 'end', 'none', 'none', 'none'),
  state: fc.constantFrom('pause', 'ceiling', 'churning', 'audit', 'lying', 'none', 'none'),
  notes: maybe(
    fc.array(
      fc.record({
        id,
        topic: fc.constantFrom('orders' as const, 'expectations' as const),
        number: fc.nat(9),
        isFresh: fc.boolean(),
        because: maybe(id),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  ),
  noting: fc.constantFrom('begin', 'end', 'take', 'link', 'arrive', 'none', 'none'),
  expects: maybe(
    fc.record({
      ids,
      rules: maybe(fc.subarray(['one', 'two'])),
      forget: fc.boolean(),
      due: maybe(fc.nat(9)),
      fails: fc.boolean(),
    }),
  ),
  provenance: fc.boolean(),
  service: fc.boolean(),
  repeats: fc.boolean(),
})

/** What a process asks of its store that polls, and clears up. */
export const step = fc.oneof(
  { weight: 8, arbitrary: commit },
  fc.record({ do: fc.constant('startPass' as const), account, resource }),
  fc.record({ do: fc.constant('sweep' as const), dropsToo: fc.boolean(), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('count' as const), account, amount: fc.nat(5) }),
  fc.record({ do: fc.constant('calendar' as const), account, settings: fc.constantFrom('one', 'two') }),
)
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
export type Commit = typeof commit extends fc.Arbitrary<infer S> ? S : never
export type Content = typeof content extends fc.Arbitrary<infer S> ? S : never
