import type { Random } from '../../src/sandbox/random.ts'
import type { AnyFacts, Facts, Tracking } from './facts.ts'
import { bornInvoice, editInvoice } from './invoice-life.ts'
import { bornDocument, bornLocation, bornOrder, editDocument, editLocation, editOrder } from './papers-life.ts'
import { bornShipment, editShipment } from './shipment-life.ts'
import { bornTracking, editTracking } from './tracking-life.ts'

export type Listed = 'shipment' | 'invoice' | 'document' | 'purchase_order' | 'location'

export interface Row {
  readonly id: string
  readonly facts: AnyFacts
}

/** How records of a list come to be and change. */
interface Life {
  readonly born: (random: Random, id: string) => AnyFacts
  readonly edit: (random: Random, facts: AnyFacts) => AnyFacts
  readonly prefix: string
}

const LIVES: Readonly<Record<Listed, Life>> = {
  shipment: life('shipment', 'SHP-', { born: bornShipment, edit: editShipment }),
  invoice: life('invoice', 'INV-', { born: bornInvoice, edit: editInvoice }),
  document: life('document', '70', { born: bornDocument, edit: editDocument }),
  purchase_order: life('purchase_order', '45000', { born: bornOrder, edit: editOrder }),
  location: life('location', '9', { born: bornLocation, edit: editLocation }),
}

/** Fewer than may go in one pass, so that nothing is held. */
const MOST_GONE = 4

export interface WorldOptions {
  readonly random: Random
  /** Lists that exist. A list named more often changes more often. */
  readonly resources: readonly Listed[]
  /** No list is ever shorter. */
  readonly fewest: number
  /** Whether a record that went may be forgotten: everybody knows that it is removed. */
  readonly isForgettable: (resource: Listed, id: string) => boolean
}

/** The truth: every list in the order of its last update, newest first. */
export class World {
  readonly lists = new Map<Listed, readonly Row[]>()
  readonly tracking = new Map<string, Tracking>()
  readonly #gone = new Map<Listed, readonly Row[]>()
  readonly #options: WorldOptions
  #born = 0
  mutations = 0

  constructor(options: WorldOptions) {
    this.#options = options
    const { fewest, random } = options
    for (const resource of new Set(options.resources)) {
      const count = random.whole(fewest, fewest + 3)
      for (let each = 0; each < count; each += 1) this.#bear(resource, random)
    }
  }

  /** One thing happens at the platform. */
  mutate(random: Random): void {
    this.mutations += 1
    const resource = random.pick(this.#options.resources)
    if (resource === 'shipment' && random.chance(0.4)) return this.#editTracking(random)
    const what = random.next()
    if (what < 0.05) return this.#bearSome(resource, random)
    if (what < 0.11) return this.#vanish(resource, random)
    if (what < 0.16) return this.#return(resource, random)
    return this.#edit(resource, random)
  }

  of(resource: Listed): readonly Row[] {
    return this.lists.get(resource) ?? []
  }

  /** Sometimes more than a page of them: then a pass meets no known record for a while. */
  #bearSome(resource: Listed, random: Random): void {
    const count = random.pick([1, 1, 1, 4])
    for (let each = 0; each < count; each += 1) this.#bear(resource, random)
  }

  #bear(resource: Listed, random: Random): void {
    this.#born += 1
    const { born, prefix } = LIVES[resource]
    const id = `${prefix}${this.#born}`
    if (resource === 'shipment') this.tracking.set(id, bornTracking(random, id))
    this.#toFront(resource, { id, facts: born(random, id) })
  }

  #vanish(resource: Listed, random: Random): void {
    const rows = this.of(resource)
    const gone = (this.#gone.get(resource) ?? []).filter((row, index) => index > 0 || !this.#isForgotten(resource, row))
    this.#gone.set(resource, gone)
    if (rows.length <= this.#options.fewest || gone.length >= MOST_GONE) return
    const row = random.pick(rows)
    this.lists.set(
      resource,
      rows.filter((each) => each !== row),
    )
    this.#gone.set(resource, [...gone, row])
  }

  #isForgotten(resource: Listed, { id }: Row): boolean {
    return (this.#gone.get(resource)?.length ?? 0) >= MOST_GONE && this.#options.isForgettable(resource, id)
  }

  /** What went comes back, as it was or changed meanwhile. */
  #return(resource: Listed, random: Random): void {
    const [row, ...rest] = this.#gone.get(resource) ?? []
    if (row === undefined) return
    this.#gone.set(resource, rest)
    const facts = random.chance(0.5) ? row.facts : LIVES[resource].edit(random, row.facts)
    this.#toFront(resource, { id: row.id, facts })
  }

  #edit(resource: Listed, random: Random): void {
    const { id, facts } = random.pick(this.of(resource))
    this.#toFront(resource, { id, facts: LIVES[resource].edit(random, facts) })
  }

  #editTracking(random: Random): void {
    const { id } = random.pick(this.of('shipment'))
    const tracking = this.tracking.get(id)
    if (tracking !== undefined) this.tracking.set(id, editTracking(random, tracking))
  }

  #toFront(resource: Listed, row: Row): void {
    this.lists.set(resource, [row, ...this.of(resource).filter(({ id }) => id !== row.id)])
  }
}

/** Each list holds one kind of facts; here it is told apart once for all. */
function life<Kind extends Listed>(
  kind: Kind,
  prefix: string,
  own: {
    readonly born: (random: Random, id: string) => Facts[Kind]
    readonly edit: (random: Random, facts: Facts[Kind]) => Facts[Kind]
  },
): Life {
  const isOwn = (facts: AnyFacts): facts is Facts[Kind] => kindOf(facts) === kind
  return { prefix, born: own.born, edit: (random, facts) => (isOwn(facts) ? own.edit(random, facts) : facts) }
}

function kindOf(facts: AnyFacts): keyof Facts {
  if ('tracking_steps' in facts) return 'tracking'
  if ('main_tracking_dates' in facts) return 'shipment'
  if ('lines' in facts) return 'invoice'
  if ('po_number' in facts) return 'purchase_order'
  return 'contacts' in facts ? 'location' : 'document'
}
