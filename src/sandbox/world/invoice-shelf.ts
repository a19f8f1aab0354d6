import type { Life } from '../life/life.ts'
import { renderInvoice } from '../render/render-invoice.ts'
import { fleetShelf } from './fleet-shelf.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

/** Invoices by the moment of their issue, over all shipments. */
export function invoiceShelf(fleet: Fleet): Shelf {
  return fleetShelf({
    fleet,
    leadMs: 0,
    thingsOf: issuesOf,
    render: ({ life, invoice }, time) => renderInvoice(life, invoice, time),
  })
}

function issuesOf(life: Life) {
  if (life.cancelledAt < Infinity) return []
  return life.invoices.map((invoice) => ({ id: invoice.reference, at: invoice.at, life, invoice }))
}
