import type { LoggedEvent } from '../../../model/event.ts'
import type { Need } from '../../../report/need.ts'
import { openStandings, standingsOf } from '../exceptions/standing.ts'
import { valueOf } from '../parts/address.ts'
import type { View } from '../show-page.ts'
import { arrivalsOf, type Arrivals } from './arrivals.ts'
import { changesSince, type Changes } from './changes.ts'
import { dueFacts, type DueFacts } from './due-facts.ts'
import type { NeedsSomebody } from './needs-section.ts'
import { sinceOf, type Since } from './since-choice.ts'

/** What the page of today shows. */
export interface Today {
  readonly needs: NeedsSomebody
  readonly due: DueFacts
  readonly shipbell: readonly Need[]
  readonly since: Since
  readonly changes: Changes
  /** What rang last, whatever it is about. */
  readonly latest: readonly LoggedEvent[]
  readonly arrivals: Arrivals
}

/** What takes longer to find out of Shipbell itself is shown as it was found last. */
const PATIENCE_MS = 20
const LATEST = 3

export async function todayOf(view: View): Promise<Today> {
  const { desk } = view
  const since = sinceOf(view)
  const [needs, due, status, changes, latest, arrivals] = await Promise.all([
    needsSomebody(view),
    dueFacts(view),
    desk.reports.status(PATIENCE_MS),
    changesSince(since.at, view),
    desk.store.eventPage({ limit: LATEST }),
    arrivalsOf(view),
  ])
  return { needs, due, shipbell: status.needs, since, changes, latest: latest.items, arrivals }
}

/** How many acknowledged exceptions are shown. */
const MOST_ACKNOWLEDGED = 50

async function needsSomebody({ address, desk: { store }, now }: View): Promise<NeedsSomebody> {
  const [open, acknowledged] = await Promise.all([
    openStandings(store, { cursor: valueOf(address, 'cursor'), now }),
    store.exceptionPage({ now, states: ['acknowledged'], limit: MOST_ACKNOWLEDGED }),
  ])
  const moreAcknowledged = acknowledged.next !== null
  return { open, acknowledged: await standingsOf(acknowledged.items, store), moreAcknowledged }
}
