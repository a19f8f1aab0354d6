import { nextDaily, type DailyTime } from '../../../model/daily-time.ts'
import { dayOf } from '../../../model/zoned-day.ts'
import type { Tell } from '../teller.ts'
import type { Parcel } from '../../parcels.ts'
import { bodiesOf, type MailBodies } from './mail-bodies.ts'
import { localDay } from './local-time.ts'
import { messageId } from './message-id.ts'
import { subjectOf } from './mail-subject.ts'
import type { ToldEvent } from './told-event.ts'
import { viewOf } from './mail-view.ts'

/** A mail but for whom it is from and to. */
export interface Mail extends MailBodies {
  readonly subject: string
  readonly messageId: string
}

export interface MailOptions {
  /** null: mail as it happens. */
  readonly digest: DailyTime | null
  readonly from: string
  readonly tell: Tell
}

/** The one mail that tells a parcel. The same parcel makes the same mail. */
export function mailOf(parcel: Parcel, { digest, from, tell }: MailOptions): Mail {
  const events = parcel.map(({ event }): ToldEvent => ({ event, message: tell(event) }))
  const [{ event: first, subscription }] = parcel
  const timeZone = digest?.timeZone ?? 'UTC'
  const isTest = first.cause === 'test'
  const dueAt = digest === null || isTest ? null : nextDaily(youngest(parcel), digest)
  const day = dueAt === null ? null : localDay(dueAt, timeZone)
  const name = dueAt === null ? (parcel.length === 1 ? first.id : 'events') : `digest.${dayOf(dueAt, timeZone)}`
  return {
    subject: subjectOf(events, day),
    messageId: messageId({ name, parcel, from }),
    ...bodiesOf(viewOf(events, { subscription, timeZone, day })),
  }
}

/** Of the events: the digest is that of the first hour after it, whenever it is sent. */
function youngest(parcel: Parcel): number {
  return parcel.reduce((latest, { rangAt }) => Math.max(latest, rangAt), 0)
}
