import { IDENTIFIER, objectOf, setOf, type Shape } from '../compare/shape.ts'
import { containerKey } from '../container-key.ts'

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
