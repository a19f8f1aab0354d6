import type { AccountFacts } from './account-facts.ts'
import { created, differences, kindOf } from './expected.ts'
import type { AnyFacts } from './facts.ts'
import { Known } from './known.ts'
import { keyOf } from './watched.ts'
import type { World } from './world.ts'

/**
 * What rings between two moments at which all that the world showed was read, whatever happened to the readers in between:
 * for that the world has to stand still from one change to such a moment.
 */
export class SettledTruth {
  readonly #account: AccountFacts
  readonly #known = new Map<string, Known>()

  constructor(account: AccountFacts) {
    this.#account = account
  }

  /** The baseline: nothing rings. */
  learn(world: World): void {
    for (const { key, id, facts } of recordsOf(world)) this.#first(key, { id, facts, how: 'silent' })
  }

  /** What the world rings as it is by now. */
  turn(world: World): readonly string[] {
    const records = recordsOf(world)
    const present = new Set(records.map(({ key }) => key))
    const gone = [...this.#known].filter(([key, known]) => !known.removed && !present.has(key) && !isTracking(known))
    return [
      ...gone.map(([key, known]) => {
        known.remove()
        return `${key}: ${kindOf(known.facts)}.removed`
      }),
      ...records.flatMap(({ key, id, facts }) => this.#read(key, id, facts).map((event) => `${key}: ${event}`)),
    ]
  }

  #read(key: string, id: string, facts: AnyFacts): readonly string[] {
    const known = this.#known.get(key)
    if (known === undefined) return [...created(facts), ...this.#first(key, { id, facts, how: 'ring' })]
    const { removed } = known
    const events = removed ? [`${kindOf(facts)}.restored`] : differences(known.facts, facts, known.dueRang)
    return [...events, ...known.read(facts, { how: removed ? 'back' : 'ring', today: 0, answeredAt: 0 })]
  }

  #first(key: string, { id, facts, how }: { id: string; facts: AnyFacts; how: 'silent' | 'ring' }): readonly string[] {
    const known = new Known({ id, facts, emitted: true, atBaseline: how === 'silent', account: this.#account })
    this.#known.set(key, known)
    return known.read(facts, { how, today: 0, answeredAt: 0 })
  }
}

/** Everything that can be read; the tracking of a shipment that is gone is not. */
function recordsOf(world: World): readonly { readonly key: string; readonly id: string; readonly facts: AnyFacts }[] {
  const listed = [...world.lists].flatMap(([resource, rows]) =>
    rows.map(({ id, facts }) => ({ key: keyOf(resource, id), id, facts })),
  )
  const tracked = world.of('shipment').flatMap(({ id }) => {
    const facts = world.tracking.get(id)
    return facts === undefined ? [] : [{ key: keyOf('tracking', id), id, facts }]
  })
  return [...listed, ...tracked]
}

function isTracking({ facts }: Known): boolean {
  return 'tracking_steps' in facts
}
