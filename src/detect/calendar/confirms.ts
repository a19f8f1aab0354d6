import { dueDateOf, isOpenInvoice } from '../../model/invoice.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * Whether a fetch by id confirms what the calendar is about to say of an invoice. It is asked nothing else: records are
 * compared from list rows only (contract section 3.3), so a fetch that says otherwise is believed once the list says so.
 */
export function confirms(fetched: JsonObject, known: JsonObject): boolean {
  return isOpenInvoice(fetched) && dueDateOf(fetched) === dueDateOf(known)
}
