import { asText, field, type Json } from '../../model/json.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { BOOLEAN, DATE, IDENTIFIER, NUMBER, objectOf, setOf, type Shape } from '../compare/shape.ts'
import { MEASURE, PRICE } from '../compare/value-shapes.ts'

const CONTAINERS = setOf(
  {},
  { key: containerKey, keyField: 'container_number', descriptive: ['container_type', 'seal_number'] },
)

const LOADS = setOf(objectOf({ count: NUMBER, weight: MEASURE, length: MEASURE, width: MEASURE, height: MEASURE }), {
  descriptive: ['type', 'length', 'width', 'height'],
})

const GOODS = objectOf({
  is_stackable: BOOLEAN,
  is_hazardous: BOOLEAN,
  contains_lithium: BOOLEAN,
  contains_magnets: BOOLEAN,
  needs_controlled_temperature: BOOLEAN,
})

/** What the fields of a shipment mean; those not named follow the general rules. */
export const SHIPMENT_SHAPE: Shape = objectOf({
  cargo: objectOf({
    total_weight: MEASURE,
    total_volume: MEASURE,
    total_teus: NUMBER,
    containers: CONTAINERS,
    loads: LOADS,
  }),
  booking_information: objectOf({
    master_bill: IDENTIFIER,
    house_bill: IDENTIFIER,
    ocean_booking: objectOf({ voyage: IDENTIFIER }),
    air_booking: objectOf({ chargeable_weight: MEASURE }),
  }),
  cargo_ready_date: DATE,
  desired_delivery_date: DATE,
  transported_goods: GOODS,
  commercial_value: PRICE,
  needs_ad_valorem_insurance: BOOLEAN,
})

/** A container is its number, however that is rendered; until it has one it may become any. */
export function containerKey(container: Json): string | null {
  const number = asText(field(container, 'container_number'))
  const folded = number === null ? '' : canonicalScalar('folded', number)
  return folded === '' || folded === '~' ? null : canonicalScalar('identifier', folded.slice(1))
}
