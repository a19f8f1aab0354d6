import type { AnyFacts } from './facts.ts'
import type { Kind, Row, World } from './world.ts'

/** What keeps the platform from showing a list as it is. */
export interface Trouble {
  readonly resource: Kind
  /**
   * `empty`: the list has no rows; `foreign`: the key is another account's; `contradicted`: a fetch by id shows an invoice
   * with another due date than the list.
   */
  readonly kind: 'empty' | 'foreign' | 'contradicted'
  /** Whether a fetch by id finds what the empty list does not show. */
  readonly findsById: boolean
}

/** No invoice of the world is due so early. */
const CONTRADICTION = '2001-01-01'

/** What the platform has to say at this moment, whatever becomes of the answer on its way. */
export class Desk {
  trouble: Trouble | null = null
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  page(resource: Kind, skip: number, rows: number): readonly Row[] {
    return this.#rows(resource).slice(skip, skip + rows)
  }

  item(resource: Kind | 'tracking', id: string): AnyFacts | undefined {
    if (resource === 'tracking') return this.#world.tracking.get(id)
    const trouble = this.#troubleOf(resource)
    const rows = trouble?.kind === 'empty' && trouble.findsById ? this.#world.of(resource) : this.#rows(resource)
    const facts = rows.find((row) => row.id === id)?.facts
    const isContradicted = trouble?.kind === 'contradicted' && facts !== undefined && 'lines' in facts
    return isContradicted ? { ...facts, due_date: CONTRADICTION } : facts
  }

  #rows(resource: Kind): readonly Row[] {
    const trouble = this.#troubleOf(resource)
    if (trouble === null) return this.#world.of(resource)
    switch (trouble.kind) {
      case 'empty':
        return []
      case 'foreign':
        return this.#world.foreign(resource)
      case 'contradicted':
        return this.#world.of(resource)
      default:
        return trouble.kind satisfies never
    }
  }

  #troubleOf(resource: Kind): Trouble | null {
    return this.trouble?.resource === resource ? this.trouble : null
  }
}
