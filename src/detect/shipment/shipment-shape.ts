import { asText, field, type Json } from '../../model/json.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { IDENTIFIER, objectOf, setOf, type Shape } from '../compare/shape.ts'

const CONTAINERS = setOf(
  {},
  { key: containerKey, keyField: 'container_number', descriptive: ['container_type', 'seal_number'] },
)

const LOADS = setOf({}, { descriptive: ['type', 'length', 'width', 'height'] })

/** What the fields of a shipment mean; those not named follow the general rules. */
export const SHIPMENT_SHAPE: Shape = objectOf({
  cargo: objectOf({ containers: CONTAINERS, loads: LOADS }),
  booking_information: objectOf({
    master_bill: IDENTIFIER,
    house_bill: IDENTIFIER,
    ocean_booking: objectOf({ voyage: IDENTIFIER }),
  }),
})

/** A container is its number, however that is rendered; until it has one it may become any. */
export function containerKey(container: Json): string | null {
  const number = asText(field(container, 'container_number'))
  const folded = number === null ? '' : canonicalScalar('folded', number)
  return folded === '' || folded === '~' ? null : canonicalScalar('identifier', folded.slice(1))
}
