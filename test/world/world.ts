import { randomOf, type Random } from '../../src/sandbox/random.ts'
import type { AnyFacts, Facts, Tracking } from './facts.ts'
import { bornInvoice, editInvoice } from './invoice-life.ts'
import {
  bornDocument,
  bornLocation,
  bornOrder,
  bornPreparation,
  editDocument,
  editLocation,
  editOrder,
  editPreparation,
} from './papers-life.ts'
import { bornShipment, editShipment } from './shipment-life.ts'
import { bornTracking, editTracking } from './tracking-life.ts'

/** What the world has many of; order preparations have no list. */
export type Kind = Exclude<keyof Facts, 'tracking'>

export interface Row {
  readonly id: string
  readonly facts: AnyFacts
}

/** How records of a kind come to be and change. */
interface Life {
  readonly born: (random: Random, id: string, era: number) => AnyFacts
  readonly edit: (random: Random, facts: AnyFacts, era: number) => AnyFacts
  readonly prefix: string
}

const LIVES: Readonly<Record<Kind, Life>> = {
  shipment: life('shipment', 'SHP-', { born: bornShipment, edit: editShipment }),
  invoice: life('invoice', 'INV-', { born: bornInvoice, edit: editInvoice }),
  document: life('document', '70', { born: bornDocument, edit: editDocument }),
  purchase_order: life('purchase_order', '45000', { born: bornOrder, edit: editOrder }),
  location: life('location', '9', { born: bornLocation, edit: editLocation }),
  order_preparation: life('order_preparation', 'OP-', { born: bornPreparation, edit: editPreparation }),
}

/** Order preparations are read by references that were configured beforehand, some of which come to be later or never. */
export const REFERENCES = Array.from({ length: 9 }, (_, index) => `OP-${index + 1}`)

/** Fewer than may go in one pass; more go in an exodus only. */
const MOST_GONE = 4

export interface WorldOptions {
  readonly random: Random
  /** Kinds that exist. One named more often changes more often. */
  readonly resources: readonly Kind[]
  /** No list gets shorter by a record vanishing. */
  readonly fewest: number
  /** When it begins; the dates in it lie around that instant, or far off. */
  readonly era: number
  /** Whether a record that went may be forgotten: everybody knows that it is removed. */
  readonly isForgettable: (resource: Kind, id: string) => boolean
}

/** The truth: every list in the order of its last update, newest first. */
export class World {
  readonly lists = new Map<Kind, readonly Row[]>()
  readonly tracking = new Map<string, Tracking>()
  readonly #gone = new Map<Kind, readonly Row[]>()
  readonly #foreign = new Map<Kind, readonly Row[]>()
  readonly #options: WorldOptions
  #born = 0
  mutations = 0

  constructor(options: WorldOptions) {
    this.#options = options
    const { fewest, random } = options
    for (const resource of new Set(options.resources)) {
      const count = resource === 'order_preparation' ? 6 : random.whole(fewest, fewest + 3)
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

  /** So many of a list go at once. */
  exodus(resource: Kind, count: number): void {
    const rows = this.of(resource)
    this.mutations += Math.min(count, rows.length)
    this.lists.set(resource, rows.slice(count))
    this.#gone.set(resource, [...(this.#gone.get(resource) ?? []), ...rows.slice(0, count)])
  }

  /** Whatever went is back. */
  homecoming(resource: Kind): void {
    const gone = this.#gone.get(resource) ?? []
    this.mutations += gone.length
    this.#gone.set(resource, [])
    for (const row of gone) this.#toFront(resource, row)
  }

  of(resource: Kind): readonly Row[] {
    return this.lists.get(resource) ?? []
  }

  /** What the same list is with another account's key. */
  foreign(resource: Kind): readonly Row[] {
    const known = this.#foreign.get(resource)
    if (known !== undefined) return known
    const random = randomOf('foreign', resource)
    const { born, prefix } = LIVES[resource]
    const rows = Array.from({ length: 4 }, (_, index) => {
      const id = `${prefix}${index + 900_001}`
      return { id, facts: born(random, id, this.#options.era) }
    })
    for (const { id } of resource === 'shipment' ? rows : []) this.tracking.set(id, bornTracking(random, id))
    this.#foreign.set(resource, rows)
    return rows
  }

  /** Sometimes more than a page of them: then a pass meets no known record for a while. */
  #bearSome(resource: Kind, random: Random): void {
    const count = random.pick([1, 1, 1, 4])
    for (let each = 0; each < count; each += 1) this.#bear(resource, random)
  }

  #bear(resource: Kind, random: Random): void {
    const { era } = this.#options
    const { born, prefix } = LIVES[resource]
    const id = resource === 'order_preparation' ? this.#freeReference() : `${prefix}${(this.#born += 1)}`
    if (id === null) return
    if (resource === 'shipment') this.tracking.set(id, bornTracking(random, id))
    this.#toFront(resource, { id, facts: born(random, id, era) })
  }

  #freeReference(): string | null {
    const used = [...this.of('order_preparation'), ...(this.#gone.get('order_preparation') ?? [])]
    return REFERENCES.find((reference) => used.every(({ id }) => id !== reference)) ?? null
  }

  #vanish(resource: Kind, random: Random): void {
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

  #isForgotten(resource: Kind, { id }: Row): boolean {
    if (resource === 'order_preparation') return false
    return (this.#gone.get(resource)?.length ?? 0) >= MOST_GONE && this.#options.isForgettable(resource, id)
  }

  /** What went comes back, as it was or changed meanwhile. */
  #return(resource: Kind, random: Random): void {
    const [row, ...rest] = this.#gone.get(resource) ?? []
    if (row === undefined) return
    this.#gone.set(resource, rest)
    const facts = random.chance(0.5) ? row.facts : LIVES[resource].edit(random, row.facts, this.#options.era)
    this.#toFront(resource, { id: row.id, facts })
  }

  #edit(resource: Kind, random: Random): void {
    const rows = this.of(resource)
    if (rows.length === 0) return
    const { id, facts } = random.pick(rows)
    this.#toFront(resource, { id, facts: LIVES[resource].edit(random, facts, this.#options.era) })
  }

  #editTracking(random: Random): void {
    const rows = this.of('shipment')
    const tracking = rows.length === 0 ? undefined : this.tracking.get(random.pick(rows).id)
    if (tracking !== undefined) this.tracking.set(tracking.platform_shipment_id, editTracking(random, tracking))
  }

  #toFront(resource: Kind, row: Row): void {
    this.lists.set(resource, [row, ...this.of(resource).filter(({ id }) => id !== row.id)])
  }
}

/** Each list holds one kind of facts; here it is told apart once for all. */
function life<Own extends Kind>(
  kind: Own,
  prefix: string,
  own: {
    readonly born: (random: Random, id: string, era: number) => Facts[Own]
    readonly edit: (random: Random, facts: Facts[Own], era: number) => Facts[Own]
  },
): Life {
  const isOwn = (facts: AnyFacts): facts is Facts[Own] => kindOf(facts) === kind
  return { prefix, born: own.born, edit: (random, facts, era) => (isOwn(facts) ? own.edit(random, facts, era) : facts) }
}

function kindOf(facts: AnyFacts): keyof Facts {
  if ('tracking_steps' in facts) return 'tracking'
  if ('main_tracking_dates' in facts) return 'shipment'
  if ('lines' in facts) return 'invoice'
  if ('po_number' in facts) return 'purchase_order'
  if ('picking_references' in facts) return 'order_preparation'
  return 'contacts' in facts ? 'location' : 'document'
}
