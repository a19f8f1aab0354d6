import type { ShipbellEvent } from '../../src/model/event.ts'
import { payloadComplaints } from '../support/payload-schema.ts'
import { addLeaf, anyIndex, leafBag, type LeafBag } from '../detect/leaf-bag.ts'

/** What holds of an account's events whatever happens; they come in the order of their sequence. */
export class Invariants {
  readonly #ids = new Set<string>()
  readonly #ends = new Map<string, { readonly version: number; readonly id: string }>()
  #sequence = 0

  /** Complaints about the next events. */
  check(events: readonly ShipbellEvent[]): readonly string[] {
    const comparisons = Map.groupBy(
      events.filter(({ changes }) => changes !== null),
      ({ subject, timestamp }) => `${subject.resource} ${subject.id} at ${timestamp}`,
    )
    return [
      ...events.flatMap((event) => [...this.#place(event), ...payloadComplaints(event)]),
      ...[...comparisons].flatMap(([name, own]) => explained(own).map((complaint) => `${name}: ${complaint}`)),
    ]
  }

  #place({ id, subject, sequence }: ShipbellEvent): readonly string[] {
    const name = `${subject.resource} ${subject.id}`
    const end = this.#ends.get(name) ?? { version: 0, id: null }
    const complaints = [
      ...(this.#ids.has(id) ? [`${id} twice`] : []),
      ...(sequence > this.#sequence ? [] : [`sequence ${sequence} after ${this.#sequence}`]),
      ...(subject.version === end.version + 1 ? [] : [`${name}: version ${subject.version} after ${end.version}`]),
      ...(subject.previousEventId === end.id ? [] : [`${name}: the chain is broken at ${subject.version}`]),
    ]
    this.#ids.add(id)
    this.#sequence = sequence
    this.#ends.set(name, { version: subject.version, id })
    return complaints
  }
}

/** The changes of one comparison are told once, and make the one record of the other. */
function explained(events: readonly ShipbellEvent[]): readonly string[] {
  const [first] = events
  const changes = events.flatMap((event) => event.changes ?? [])
  const paths = changes.map(({ path, removed }) => `${removed === true ? 'was' : 'is'} ${path}`)
  const twice = new Set(paths).size === paths.length ? [] : ['a leaf is told twice']
  if (first?.before == null || first.object === null) return twice
  let bag = leafBag(first.before)
  for (const { path, from, to } of changes) {
    bag = addLeaf(bag, { path: anyIndex(path), value: from }, -1)
    bag = addLeaf(bag, { path: anyIndex(path), value: to }, 1)
  }
  const explains = textOf(bag) === textOf(leafBag(first.object))
  return explains ? twice : [...twice, 'the changes do not explain the difference']
}

function textOf(bag: LeafBag): string {
  return [...bag]
    .map(([leaf, count]) => `${count} ${leaf}`)
    .sort()
    .join('\n')
}
