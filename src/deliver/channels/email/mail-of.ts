import { nextDaily, type DailyTime } from '../../../model/daily-time.ts'
import { dayOf } from '../../../model/zoned-day.ts'
import type { RenderMessage } from '../message-renderer.ts'
import type { Batch } from '../../batches.ts'
import { bodiesOf, type MailBodies } from './mail-bodies.ts'
import { localDay } from './local-time.ts'
import { messageId } from './message-id.ts'
import { subjectOf } from './mail-subject.ts'
import type { RenderedEvent } from './rendered-event.ts'
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
  readonly render: RenderMessage
}

/** The one mail that tells a batch. The same batch makes the same mail. */
export function mailOf(batch: Batch, { digest, from, render }: MailOptions): Mail {
  const events = batch.map(({ event }): RenderedEvent => ({ event, message: render(event) }))
  const [{ event: first, subscription }] = batch
  const timeZone = digest?.timeZone ?? 'UTC'
  const isTest = first.cause === 'test'
  const dueAt = digest === null || isTest ? null : nextDaily(youngest(batch), digest)
  const day = dueAt === null ? null : localDay(dueAt, timeZone)
  const name = dueAt === null ? (batch.length === 1 ? first.id : 'events') : `digest.${dayOf(dueAt, timeZone)}`
  return {
    subject: subjectOf(events, day),
    messageId: messageId({ name, batch, from }),
    ...bodiesOf(viewOf(events, { subscription, timeZone, day })),
  }
}

/** Of the events: the digest is that of the first hour after it, whenever it is sent. */
function youngest(batch: Batch): number {
  return batch.reduce((latest, { rangAt }) => Math.max(latest, rangAt), 0)
}
