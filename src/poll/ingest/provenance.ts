import type { Exchange } from '../../model/exchange.ts'
import type { Read } from '../../model/record-state.ts'
import type { ProvenancePass } from '../../model/provenance.ts'
import type { ListState } from '../../store/ports/list-port.ts'

/** Ages come in whole seconds: an answer may be almost one second older than is said. */
const AGE_STEP_MS = 1_000

/** The part of a request that decides which of two answers is the younger one. */
export function readOf({ ageMs = 0, answeredAt, sentAt }: Exchange): Read {
  if (ageMs === 0) return { sentAt, answeredAt }
  return { sentAt: sentAt - ageMs - AGE_STEP_MS, answeredAt: answeredAt - ageMs, arrivedAt: answeredAt }
}

/** The current pass over a list, as an event's explanation names it. */
export function provenancePass({ pass, passStartedAt }: ListState): ProvenancePass {
  return { number: pass, startedAt: passStartedAt }
}
