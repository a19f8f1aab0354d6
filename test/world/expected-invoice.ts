import { same, type Invoice } from './facts.ts'

/** The events of guarantee E1 for two successive truths of an invoice; `dueRang`: the due dates it became due for. */
export function expectedOfInvoice(before: Invoice, after: Invoice, dueRang: Set<string>): readonly string[] {
  const kind = after.type
  const money = moneyChanged(before, after)
  const updated = !same(rest(before), rest(after)) || (!money && !same(before.lines, after.lines))
  return [
    ...(before.status === after.status ? [] : [`${kind}.status_changed ${before.status}>${after.status}`]),
    ...(becameDue(before, after, dueRang) ? ['invoice.due'] : []),
    ...(before.due_date === after.due_date ? [] : [`${kind}.due_date_changed`]),
    ...(money ? [`${kind}.amount_changed`] : []),
    ...(updated ? [`${kind}.updated`] : []),
  ]
}

function becameDue(before: Invoice, after: Invoice, dueRang: Set<string>): boolean {
  const due = after.due_date ?? ''
  if (after.type !== 'invoice' || after.status !== 'due' || before.status === 'due' || dueRang.has(due)) return false
  dueRang.add(due)
  return true
}

function moneyChanged(before: Invoice, after: Invoice): boolean {
  const rates = new Map(before.lines.map((line) => [line.description, line.vatRate]))
  const rated = after.lines.some(({ description, vatRate }) => (rates.get(description) ?? vatRate) !== vatRate)
  return rated || !same(totals(before), totals(after))
}

/** In cents. */
function totals({ lines }: Invoice): readonly number[] {
  return ['EUR', 'USD'].map((currency) =>
    lines
      .filter(({ price }) => price.currency === currency)
      .reduce((sum, { price }) => sum + Math.round(price.amount * 100), 0),
  )
}

function rest({ number, sent_date }: Invoice): unknown {
  return [number, sent_date]
}
