import { NUMBER, objectOf, type Shape } from './shape.ts'

/** The value types that the platform's interface shares between its resources. */
export const PRICE: Shape = objectOf({ amount: NUMBER })
/** A weight, a volume, a size or a quantity. */
export const MEASURE: Shape = objectOf({ value: NUMBER })
