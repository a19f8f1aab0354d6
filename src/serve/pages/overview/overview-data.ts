import type { LoggedEvent } from '../../../model/event.ts'
import { needsOf, type Need } from '../../../report/needs.ts'
import { readAges, type ReadAge } from '../../../report/read-age.ts'
import type { EventHour } from '../../../store/log-query-port.ts'
import type { AccountOverview, EndpointOverview } from '../../../store/query-port.ts'
import type { Readiness } from '../../readiness.ts'
import type { View } from '../show-page.ts'
import type { SlowFacts } from './slow-facts.ts'
import { answerTimes, type AnswerTimes } from './answer-times.ts'

/** What the overview shows. */
export interface Overview {
  readonly readiness: Readiness
  readonly needs: readonly Need[]
  readonly accounts: readonly AccountOverview[]
  readonly ages: readonly ReadAge[]
  readonly endpoints: readonly EndpointOverview[]
  readonly answers: AnswerTimes
  readonly hours: readonly EventHour[]
  /** When the first of the hours that are shown began. */
  readonly since: number
  readonly latest: readonly LoggedEvent[]
}

const HOUR_MS = 3_600_000
const HOURS = 24
const LATEST = 8
const MOST_QUARANTINED = 100

export async function overviewOf({ desk, now }: View, slow: SlowFacts): Promise<Overview> {
  const { store } = desk
  const since = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const [readiness, known, endpoints, holds, quarantine, plans, hours, latest] = await Promise.all([
    desk.readiness(),
    store.accounts(now),
    store.endpoints(),
    store.holds(),
    store.quarantine({ limit: MOST_QUARANTINED }),
    slow.plans(),
    store.eventHours(since),
    store.eventPage({ limit: LATEST }),
  ])
  const settings = desk.accounts()
  const accounts = await slow.withItemReads(known)
  // The page comes from the daemon itself: it runs.
  const facts = { now, running: true, settings, accounts, endpoints, holds, plans, quarantined: quarantine.items }
  const ages = settings.flatMap((each) =>
    readAges(
      each,
      accounts.find(({ account }) => account === each.name),
      now,
    ),
  )
  const answers = await answerTimes(endpoints, store)
  return { readiness, needs: needsOf(facts), accounts, ages, endpoints, answers, hours, since, latest: latest.items }
}
