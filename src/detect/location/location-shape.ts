import { BOOLEAN, objectOf, setOf, type Shape } from '../compare/shape.ts'

/** What the fields of a location mean, by itself or in a tracking; those not named follow the general rules. */
export const LOCATION_SHAPE: Shape = objectOf({
  contacts: setOf({}, { descriptive: ['name', 'email'] }),
  requires_appointment: BOOLEAN,
  requires_tailgate_truck: BOOLEAN,
})
