import { same, type Assigned, type Order, type OrderLine, type Paper, type Place, type Preparation } from './facts.ts'

export function expectedOfDocument(before: Paper, after: Paper): readonly string[] {
  const classified = before.type === null && after.type !== null
  const updated = !same(
    { ...before, type: classified ? null : before.type },
    { ...after, type: classified ? null : after.type },
  )
  return [...(classified ? ['document.classified'] : []), ...(updated ? ['document.updated'] : [])]
}

export function expectedOfLocation(before: Place, after: Place): readonly string[] {
  return same(before, after) ? [] : ['location.updated']
}

export function expectedOfPreparation(before: Preparation, after: Preparation): readonly string[] {
  return same(before, after) ? [] : ['order_preparation.updated']
}

export function expectedOfOrder(before: Order, after: Order): readonly string[] {
  const was = byReference(before)
  const is = byReference(after)
  const turns = [...new Set([...was.keys(), ...is.keys()])].flatMap((reference) =>
    turnsOf(reference, assignmentsOf(was.get(reference)), assignmentsOf(is.get(reference))),
  )
  const staying = [...was].flatMap(([reference, line]) =>
    line.assigned_order_lines.flatMap((one) => {
      const other = assignmentsOf(is.get(reference)).get(one.platform_shipment_id)
      return other === undefined ? [] : [{ one, other }]
    }),
  )
  const shipped = staying.some(({ one, other }) => !same(one.shipped_order_lines, other.shipped_order_lines))
  const assigned = staying.some(({ one, other }) => one.assigned_quantity !== other.assigned_quantity)
  const updated = assigned || !same(rest(before), rest(after))
  const restated = staying.filter(({ one, other }) => one.shipment_status !== other.shipment_status)
  return [
    ...turns,
    ...[...new Set(restated.map(({ one }) => one.platform_shipment_id))].map(
      (id) => `purchase_order.shipment_status_changed ${id}`,
    ),
    ...(shipped ? ['purchase_order.shipped_quantity_changed'] : []),
    ...(updated ? ['purchase_order.updated'] : []),
  ]
}

function turnsOf(
  reference: string,
  was: ReadonlyMap<string, Assigned>,
  is: ReadonlyMap<string, Assigned>,
): readonly string[] {
  const gained = [...is.keys()].filter((id) => !was.has(id)).map((id) => `purchase_order.assigned ${reference} ${id}`)
  const lost = [...was.keys()].filter((id) => !is.has(id)).map((id) => `purchase_order.unassigned ${reference} ${id}`)
  return [...lost, ...gained]
}

function byReference({ purchase_order_lines }: Order): ReadonlyMap<string, OrderLine> {
  return new Map(purchase_order_lines.map((line) => [line.reference, line]))
}

function assignmentsOf(line: OrderLine | undefined): ReadonlyMap<string, Assigned> {
  return new Map((line?.assigned_order_lines ?? []).map((each) => [each.platform_shipment_id, each]))
}

function rest({ supplier_name, purchase_order_lines }: Order): unknown {
  const lines = purchase_order_lines.map(({ reference, ordered_quantity }) => `${reference} ${ordered_quantity}`)
  return [supplier_name, lines.sort()]
}
