import type { InvoiceLife } from '../life/bill.ts'
import type { Life } from '../life/life.ts'
import { renderInvoice } from '../render/render-invoice.ts'
import type { Fleet } from './fleet.ts'
import { countBy } from '../life/timeline.ts'
import type { Shelf } from './shelf.ts'

interface Issue {
  readonly at: number
  readonly life: Life
  readonly invoice: InvoiceLife
}

/** Invoices by the moment of their issue, newest first, over all shipments. */
export function invoiceShelf(fleet: Fleet): Shelf {
  const issues: Issue[] = []
  const byReference = new Map<string, Issue>()
  let shipments = 0
  const catchUp = (time: number): void => {
    const known = fleet.countBy(time)
    if (known <= shipments) return
    for (; shipments < known; shipments += 1) {
      for (const issue of issuesOf(fleet.nth(shipments))) {
        issues.push(issue)
        byReference.set(issue.invoice.reference, issue)
      }
    }
    issues.sort((a, b) => a.at - b.at)
  }
  return {
    page: ({ skip, take }, time) => {
      catchUp(time)
      const end = Math.max(0, countBy(issues, time) - skip)
      return issues
        .slice(Math.max(0, end - take), end)
        .toReversed()
        .map(({ life, invoice }) => renderInvoice(life, invoice, time))
    },
    find: (reference, time) => {
      catchUp(time)
      const issue = byReference.get(reference)
      return issue === undefined || issue.at > time ? null : renderInvoice(issue.life, issue.invoice, time)
    },
  }
}

function issuesOf(life: Life): readonly Issue[] {
  if (life.cancelledAt < Infinity) return []
  return life.invoices.map((invoice) => ({ at: invoice.at, life, invoice }))
}
