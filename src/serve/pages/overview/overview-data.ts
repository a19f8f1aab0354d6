import type { LoggedEvent } from '../../../model/event.ts'
import type { Status } from '../../../report/status.ts'
import type { EventHour } from '../../../store/ports/log-query-port.ts'
import type { Readiness } from '../../readiness.ts'
import type { View } from '../show-page.ts'
import { answerTimes, type AnswerTimes } from './answer-times.ts'

/** What the overview shows. */
export interface Overview {
  readonly readiness: Readiness
  readonly status: Status
  readonly answers: AnswerTimes
  readonly hours: readonly EventHour[]
  /** When the first of the hours that are shown began. */
  readonly since: number
  readonly latest: readonly LoggedEvent[]
}

const HOUR_MS = 3_600_000
const HOURS = 24
const LATEST = 8
/** What takes longer to find out is shown as it was found last. */
const PATIENCE_MS = 100

export async function overviewOf({ desk, now }: View): Promise<Overview> {
  const { store } = desk
  const since = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const [readiness, status, hours, latest] = await Promise.all([
    desk.readiness(),
    desk.reports.status(PATIENCE_MS),
    store.eventHours(since),
    store.eventPage({ limit: LATEST }),
  ])
  const answers = await answerTimes(status.endpoints, store)
  return { readiness, status, answers, hours, since, latest: latest.items }
}
