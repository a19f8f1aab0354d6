import { asText, field, isJsonObject, type Json } from '../../model/json.ts'
import { shipmentIdOf } from '../../model/shipment.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { BOOLEAN, DATE, NUMBER, objectOf, setOf, type Shape } from '../compare/shape.ts'
import { PRICE } from '../compare/value-shapes.ts'
import { containerKey } from '../shipment/shipment-shape.ts'

const CUSTOM_PARAMETERS = setOf({}, { key: (parameter) => asText(field(parameter, 'name')) })

const SHIPPED = setOf(
  objectOf({
    shipped_quantity: NUMBER,
    packaging_total_volume: NUMBER,
    number_of_packages: NUMBER,
    net_weight: NUMBER,
    gross_weight: NUMBER,
  }),
  { key: containerKey, keyField: 'container_number', descriptive: ['packaging_type'] },
)

const ASSIGNED = setOf(objectOf({ assigned_quantity: NUMBER, shipped_order_lines: SHIPPED }), { key: shipmentKey })

const LINES = setOf(
  objectOf({
    product: objectOf({ is_hazardous: BOOLEAN, custom_parameters: CUSTOM_PARAMETERS }),
    ordered_quantity: NUMBER,
    unit_price: PRICE,
    assigned_order_lines: ASSIGNED,
  }),
  { key: lineKey, keyField: 'reference', descriptive: ['product'] },
)

/** What the fields of a purchase order mean; those not named follow the general rules. */
export const PURCHASE_ORDER_SHAPE: Shape = objectOf({
  purchase_order_lines: LINES,
  desired_ex_factory_date: DATE,
  desired_delivery_date: DATE,
  custom_parameters: CUSTOM_PARAMETERS,
})

/** An assignment is its shipment's; one that names none is never another's partner. */
export function shipmentKey(assigned: Json): string {
  const id = isJsonObject(assigned) ? shipmentIdOf(assigned, null) : null
  return canonicalScalar('identifier', id)
}

/** An order line is its reference; until it has one it may become any. */
function lineKey(line: Json): string | null {
  const reference = asText(field(line, 'reference'))
  return reference === null ? null : canonicalScalar('identifier', reference)
}
