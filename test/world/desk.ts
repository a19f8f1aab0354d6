import type { AnyFacts } from './facts.ts'
import type { Kind, Row, World } from './world.ts'

/** What keeps the platform from showing a list as it is. */
export interface Trouble {
  readonly resource: Kind
  /** `empty`: the list has no rows; `foreign`: the key is another account's. */
  readonly kind: 'empty' | 'foreign'
  /** Whether a fetch by id finds what the empty list does not show. */
  readonly findsById: boolean
}

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
    return rows.find((row) => row.id === id)?.facts
  }

  #rows(resource: Kind): readonly Row[] {
    const trouble = this.#troubleOf(resource)
    if (trouble === null) return this.#world.of(resource)
    return trouble.kind === 'empty' ? [] : this.#world.foreign(resource)
  }

  #troubleOf(resource: Kind): Trouble | null {
    return this.trouble?.resource === resource ? this.trouble : null
  }
}
