import { isJsonArray, isJsonObject, type Json } from '../../model/json.ts'

/** Possible pairs that one comparison weighs, all its arrays together. */
const MOST_LINKS = 1_000_000
/** The links that each element may take in any case: forty changed elements are always weighed against forty. */
const LEAST_LINKS = 20

/**
 * What a comparison may spend on finding partners, so that no record can stall a pass. Each array has its share by the
 * number of its elements, so that nothing depends on the order of fields or elements.
 */
export class Effort {
  readonly #before: Json
  readonly #after: Json
  #elements: number | null = null

  constructor(before: Json, after: Json) {
    this.#before = before
    this.#after = after
  }

  /** Whether so many possible pairs of so many elements may be weighed. */
  affords(links: number, elements: number): boolean {
    if (links <= elements * LEAST_LINKS) return true
    this.#elements ??= elementsIn(this.#before) + elementsIn(this.#after)
    return links <= (elements * MOST_LINKS) / Math.max(this.#elements, 1)
  }
}

/** Elements of arrays, those inside them counted too. */
function elementsIn(value: Json): number {
  if (isJsonArray(value)) return value.reduce<number>((sum, each) => sum + 1 + elementsIn(each), 0)
  if (!isJsonObject(value)) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + elementsIn(each), 0)
}
