import type { ProvenancePass } from '../model/provenance.ts'
import type { ListState } from '../store/list-state.ts'

/** The current pass over a list, as an event's explanation names it. */
export function provenancePass({ pass, passStartedAt }: ListState): ProvenancePass {
  return { number: pass, startedAt: passStartedAt }
}
