import { IGNORED, objectOf, setOf, type Shape } from '../compare/shape.ts'

/** What the fields of an invoice mean; those not named follow the general rules. */
export const INVOICE_SHAPE: Shape = objectOf({
  lines: setOf({}, { descriptive: ['category', 'description'] }),
  usd_to_eur_rate: IGNORED,
})
