import type { SendMailOptions } from 'nodemailer'
import { Temporal } from 'temporal-polyfill'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { nextDaily, type DailyTime } from '../../../model/daily-time.ts'
import type { EmailChannel } from '../../../model/subscription.ts'
import { dayOf } from '../../../model/zoned-day.ts'
import type { Batch } from '../../batches.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { entriesToTell, type ManyEvents } from '../told-entries.ts'
import { fittingBodies, type MailBodies } from './mail-bodies.ts'
import { subjectOf } from './mail-subject.ts'
import { listId, messageId, threadRoot } from './mail-thread.ts'
import { localDay, viewOf } from './mail-view.ts'

/** A mail but for whom it is from and to. */
export interface Mail extends MailBodies {
  readonly subject: string
  readonly messageId: string
  /** The message that begins the thread; null: the mail belongs to no thread. */
  readonly threadRoot: string | null
  readonly listId: string
}

export interface MailOptions {
  /** When digests go; null: each mail goes as it happens. */
  readonly digest: DailyTime | null
  readonly from: string
  readonly render: RenderMessage
}

/** The mail of a batch. The same batch makes the same mail. */
export function mailOf(batch: Batch, { digest, from, render }: MailOptions): Mail {
  const [{ event: first, subscription }, ...others] = batch
  const events: ManyEvents = [first, ...others.map(({ event }) => event)]
  const entries = entriesToTell(events)
  const { wording } = render(first)
  const isTest = first.cause === 'test'
  const dueAt = digest === null || isTest ? null : nextDaily(youngest(batch), digest)
  const day = dueAt === null || digest === null ? null : titleOf(dueAt, digest, wording)
  const name =
    dueAt === null ? (batch.length === 1 ? first.id : 'events') : `digest.${dayOf(dueAt, digest?.timeZone ?? 'UTC')}`
  return {
    subject: subjectOf(events, entries, { day, render, wording }),
    messageId: messageId({ name, content: [subscription, ...batch.map(({ event }) => event.id)], from }),
    threadRoot: dueAt === null ? threadRoot(batch, from) : null,
    listId: listId(subscription, from),
    ...fittingBodies((room) => viewOf(events, entries, { subscription, wording, render, day, room })),
  }
}

/** The day that a digest is sent on, or the week that ends with it. */
function titleOf(dueAt: number, { timeZone, every }: DailyTime, wording: Wording): string {
  if (every !== 'week') return localDay(dueAt, { ...wording, timeZone })
  const first = Temporal.Instant.fromEpochMilliseconds(dueAt).toZonedDateTimeISO(timeZone).subtract({ weeks: 1 })
  return filled(wording.terms.mail.week, { day: localDay(first.epochMilliseconds, { ...wording, timeZone }) })
}

/** When the youngest of the events happened: the digest is that of the first hour after it, whenever it is sent. */
function youngest(batch: Batch): number {
  return batch.reduce((latest, { rangAt }) => Math.max(latest, rangAt), 0)
}

/** A mail as nodemailer takes it: who it is from and to comes from the configuration alone. */
export function mailOptions(mail: Mail, { from, to }: EmailChannel, now: number): SendMailOptions {
  const { threadRoot: root, listId: list, ...content } = mail
  return {
    ...content,
    ...(root === null ? {} : { inReplyTo: root, references: root }),
    from: { name: 'Shipbell', address: from },
    to: to.map((address) => ({ name: '', address })),
    date: new Date(now),
    // No out-of-office notes, please (RFC 3834, and Exchange's own).
    headers: { 'List-Id': list, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
