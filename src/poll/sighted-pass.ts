import type { SightedPass } from '../model/sighting.ts'
import type { ListState } from '../store/list-state.ts'

/** The current pass over a list, as an event's explanation names it. */
export function sightedPass({ pass, passStartedAt }: ListState): SightedPass {
  return { number: pass, startedAt: passStartedAt }
}
