import type { LoggedEvent } from '../../../model/event.ts'
import type { Need } from '../../../report/need.ts'
import { openStandings, standingsOf } from '../exceptions/standing.ts'
import { valueOf } from '../parts/address.ts'
import type { View } from '../show-page.ts'
import { dueFacts, type DueFacts } from './due-facts.ts'
import type { NeedsSomebody } from './needs-section.ts'

/** What the page of today shows. */
export interface Today {
  readonly needs: NeedsSomebody
  readonly due: DueFacts
  readonly shipbell: readonly Need[]
  readonly latest: readonly LoggedEvent[]
}

/** What takes longer to find out of Shipbell itself is shown as it was found last. */
const PATIENCE_MS = 20
const LATEST = 8

export async function todayOf(view: View): Promise<Today> {
  const { desk } = view
  const [needs, due, status, latest] = await Promise.all([
    needsSomebody(view),
    dueFacts(view),
    desk.reports.status(PATIENCE_MS),
    desk.store.eventPage({ limit: LATEST }),
  ])
  return { needs, due, shipbell: status.needs, latest: latest.items }
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
