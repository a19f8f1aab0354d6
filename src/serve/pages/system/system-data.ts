import type { LoggedEvent } from '../../../model/event.ts'
import { ACCOUNT_EVENT_TYPES, ENDPOINT_EVENT_TYPES, OWN_EVENT_TYPES } from '../../../model/service-event-types.ts'
import type { Status } from '../../../report/status.ts'
import type { EventHour } from '../../../store/ports/log-query-port.ts'
import type { Readiness } from '../../readiness.ts'
import type { View } from '../show-page.ts'
import { answerTimes, type AnswerTimes } from './answer-times.ts'

/** What the page of Shipbell itself shows. */
export interface SystemFacts {
  readonly readiness: Readiness
  readonly status: Status
  readonly answers: AnswerTimes
  readonly hours: readonly EventHour[]
  /** When the first of the hours that are shown began. */
  readonly since: number
  /** What rang last about accounts, endpoints and Shipbell itself. */
  readonly latest: readonly LoggedEvent[]
}

const HOUR_MS = 3_600_000
const HOURS = 24
const LATEST = 8
/** What rings about accounts, endpoints and Shipbell itself; tests are none of it. */
const ABOUT_SHIPBELL = [...ACCOUNT_EVENT_TYPES, ...OWN_EVENT_TYPES, ...ENDPOINT_EVENT_TYPES]
  .map(({ type }) => type)
  .filter((type) => type !== 'shipbell.test' && type !== 'shipbell.watermark')
/** What takes longer to find out is shown as it was found last. */
const PATIENCE_MS = 20

export async function systemFactsOf({ desk, now }: View): Promise<SystemFacts> {
  const { store } = desk
  const since = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const [readiness, status, hours, latest] = await Promise.all([
    desk.readiness(),
    desk.reports.status(PATIENCE_MS),
    store.eventHours(since),
    store.eventPage({ types: ABOUT_SHIPBELL, limit: LATEST }),
  ])
  const answers = await answerTimes(status.endpoints, store)
  return { readiness, status, answers, hours, since, latest: latest.items }
}
