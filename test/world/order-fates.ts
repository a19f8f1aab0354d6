import type { ShipbellEvent } from '../../src/model/event.ts'
import { field, textField, type Json } from '../../src/model/json.ts'
import { orderTruth } from '../support/order-oracle.ts'
import type { World } from './world.ts'

/** What was told of when each order is expected, beside the truth. */
export class OrderFates {
  readonly #told = new Map<string, string>()

  /** What is wrong with what rings: what was told before is what each event begins with. */
  hear(events: readonly ShipbellEvent[]): readonly string[] {
    return events.flatMap(({ extras, id, subject, type }) => {
      if (type === 'purchase_order.removed') this.#told.delete(subject.id)
      if (type !== 'purchase_order.eta_changed') return []
      const [before, from, to] = [
        this.#told.get(subject.id),
        dueText(field(extras, 'from')),
        dueText(field(extras, 'to')),
      ]
      this.#told.set(subject.id, to)
      if (from === to) return [`${id} tells nothing of ${subject.id}`]
      return before === undefined || before === from ? [] : [`${id} goes on from ${from}, ${before} was told`]
    })
  }

  /** What was told last and is not true, of the orders of which anything was told. */
  wrong(world: World): readonly string[] {
    const now = duesOf(world)
    return [...this.#told].flatMap(([id, told]) => {
      const due = now.get(id) ?? told
      return due === told ? [] : [`purchase_order ${id}: expected ${due}, ${told} was told last`]
    })
  }
}

/** When each order is expected. */
export function duesOf(world: World): ReadonlyMap<string, string> {
  const shipments = new Map(world.of('shipment').map(({ facts, id }) => [id, { ...facts }]))
  const dues = world.of('purchase_order').map(({ facts, id }) => {
    const { due } = orderTruth({ ...facts }, (shipment) => shipments.get(shipment))
    return [id, due === null ? 'none' : `${due.at} ${due.status ?? ''}`] as const
  })
  return new Map(dues)
}

export function dueText(expected: Json | undefined): string {
  const date = textField(expected, 'date')
  return date === null ? 'none' : `${Date.parse(date)} ${textField(expected, 'status') ?? ''}`
}
