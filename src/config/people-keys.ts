import { z } from 'zod'
import type { MessageTemplates } from '../model/message-template.ts'
import { LANGUAGES } from '../model/reader.ts'
import type { DeliveryOrder, PeoplesChannel } from '../model/subscription.ts'
import { issueOf } from './schema-parts.ts'
import { templateFiles } from './templates.ts'
import { choice, timeOfDay, timeZone } from './values.ts'

const quiet = z
  .strictObject({
    from: timeOfDay.describe('The local time from which nothing is sent.'),
    to: timeOfDay.describe('The local time at which what rang meanwhile is sent, in one message.'),
  })
  .superRefine(({ from, to }, context) => {
    if (from !== to) return
    const message = '`from` and `to` of `quiet` must differ: to send nothing at all, set `enabled: false`'
    context.addIssue(issueOf(message, { key: 'to', rule: true }))
  })

/** How a channel says things to people. */
export const readersKeys = {
  time_zone: timeZone
    .optional()
    .describe(
      "IANA time zone of the dates in its messages; the account's by default. With channels that people read, and beside `body`.",
    ),
  language: choice(LANGUAGES)
    .prefault('en')
    .describe(
      'Language of its messages: `en`, `de`, `fr`, `nl` or `es`. With channels that people read, and beside `body`.',
    ),
}

/** The keys of every channel that people read. */
export const forPeople = {
  template: templateFiles
    .optional()
    .describe('Liquid file for its messages, or one for each event pattern; with channels that people read.'),
  ...readersKeys,
  quiet: quiet
    .optional()
    .describe(
      'Hours of every day, on the clocks of `time_zone`, in which no message is sent. With channels that people read.',
    ),
}

export type PeoplesKeys = z.output<z.ZodObject<typeof forPeople>>

/** What does not go with `quiet`, whatever the channel. */
export function quietMisfit({
  quiet: hours,
  order,
  digest: mail,
}: QuietKeys): { readonly key: string; readonly message: string } | null {
  if (hours === undefined || (order !== 'subject' && mail === undefined)) return null
  if (mail !== undefined)
    return { key: 'quiet', message: '`quiet` and `digest` exclude each other: a digest has an hour of its own' }
  const message = '`order: subject` and `quiet` exclude each other: what waits for its end is told in one message'
  return { key: 'order', message }
}

interface QuietKeys {
  readonly order: DeliveryOrder
  readonly quiet?: unknown
  readonly digest?: unknown
}

/** What every channel that people read has. */
export function peoples(
  { time_zone, language, quiet: hours }: PeoplesKeys,
  templates: MessageTemplates,
): Pick<PeoplesChannel, 'templates' | 'language' | 'timeZone' | 'quiet'> {
  const silence = hours === undefined ? null : { fromMinutes: hours.from, toMinutes: hours.to }
  return { templates, language, timeZone: time_zone ?? null, quiet: silence }
}
