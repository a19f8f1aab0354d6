import type { JsonObject } from '../../model/json.ts'
import type { Shelf } from '../world/shelf.ts'
import type { OrderPreparationDraft } from './order-preparation-body.ts'
import { renderWrittenPreparation } from './render-written-preparation.ts'

/** Far above the seeded ones. */
const FIRST_WRITTEN = 1_000_000_001

/** Order preparations that can be read and created. What is created lasts as long as the desk. */
export interface OrderPreparationDesk extends Pick<Shelf, 'find'> {
  /** Answers the reference of the new one. */
  create(draft: OrderPreparationDraft): string
}

export function orderPreparationDesk(shelf: Pick<Shelf, 'find'>): OrderPreparationDesk {
  const written = new Map<string, JsonObject>()
  return {
    find: (reference, time) => written.get(reference) ?? shelf.find(reference, time),
    create: (draft) => {
      const reference = `OP-${FIRST_WRITTEN + written.size}`
      written.set(reference, renderWrittenPreparation(draft))
      return reference
    },
  }
}
