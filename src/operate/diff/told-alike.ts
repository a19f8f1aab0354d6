import { isDeepStrictEqual } from 'node:util'
import { previewBatch } from '../../deliver/channels/channel-kinds.ts'
import { seenAt, zoneFor } from '../../deliver/channels/message-renderer.ts'
import { PutOff } from '../../deliver/put-off.ts'
import { sinceTold } from '../../deliver/since-told.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { withoutOmitted } from '../../model/omit.ts'
import { payloadBytes, type PayloadShape } from '../../model/payload.ts'
import { bodyOf, type RequestBody } from '../../model/request-body.ts'
import type { ClaimedDelivery } from '../../store/ports/delivery-port.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import type { messageContext } from '../message-context.ts'
import { isLeftAlike, isSentWhole } from './left-alike.ts'
import { bodyPartsAlike, messagePartsAlike } from './parts-alike.ts'

const MINUTE_MS = 60_000

/** How a subscription tells its events. */
export interface Telling {
  readonly channel: ChannelSettings
  /** Where its events go; texts that are equal say the same place. */
  readonly target: string
  readonly context: ReturnType<typeof messageContext>
}

/** One event, told under each of two configurations. */
interface ToldTwice {
  readonly event: LoggedEvent
  readonly rangAt: number
  readonly old: ToldEvent
  readonly new: ToldEvent
}

export interface Likeness {
  /** Whether an event is told alike: the same, at the same time, in the same place. */
  readonly isAlike: (told: ToldTwice) => boolean
  /** Which of the records that events show that takes: `dates` where readers may have been told other dates, all. */
  readonly needsRecords: 'all' | 'whole' | 'none' | 'dates'
}

/** Compares how two subscriptions of one name tell an event. */
export function likenessOf(old: Telling, other: Telling): Likeness {
  if (old.target !== other.target || old.channel.kind !== other.channel.kind) return NEVER
  if (isPeoples(old.channel) && isPeoples(other.channel))
    return likenessForPeople({ ...old, channel: old.channel }, { ...other, channel: other.channel })
  const [before, after] = [old, other].map(programTexts)
  if (before === undefined || after === undefined || before.kind !== after.kind) return NEVER
  const isSame = isDeepStrictEqual(before.settings, after.settings)
  const parts = isSame ? null : bodiesByParts(old, other, [before, after])
  if (parts !== null) return parts
  if (before.shape !== null && after.shape !== null) {
    const [one, another] = [before.shape, after.shape]
    if (one.format !== another.format) return NEVER
    if (one.payload !== another.payload && isDeepStrictEqual(old.channel.omit, other.channel.omit)) return THINNED
    if (one.payload === 'full' && !isSame && isDeepStrictEqual(one, another))
      return omitting(old, other, [before, after])
  }
  return {
    isAlike: ({ event }) =>
      (isSame && before.zone(event.account) === after.zone(event.account)) || before.text(event) === after.text(event),
    needsRecords: isSame ? 'none' : 'all',
  }
}

const NEVER: Likeness = { isAlike: () => false, needsRecords: 'none' }

/** A thin payload is another wherever the full one shows a record, or changes of it. */
const THINNED: Likeness = {
  isAlike: ({ event }) => event.changes === null && event.object === null,
  needsRecords: 'whole',
}

/** Full payloads that differ by what is left out: only long ones, which may be sent thin, are made to be compared. */
function omitting(old: Telling, other: Telling, [before, after]: TextsOfBoth): Likeness {
  const leftOut = { old: old.channel.omit, new: other.channel.omit }
  const limit = before.shape?.limitBytes
  return {
    isAlike: ({ event }) =>
      isLeftAlike(event, leftOut) || (!isSentWhole(event, limit) && before.text(event) === after.text(event)),
    needsRecords: 'all',
  }
}

function isPeoples(channel: ChannelSettings): channel is Extract<ChannelSettings, PeoplesChannel> {
  return 'templates' in channel
}

type PeoplesTelling = Telling & { readonly channel: Extract<ChannelSettings, PeoplesChannel> }

function likenessForPeople(old: PeoplesTelling, other: PeoplesTelling): Likeness {
  const [before, after] = [old, other].map(({ channel, context }) => new PutOff(channel, context.zoneOf))
  const { isSame, leavesOutAlike, sameFor } = readsAlike(old, other)
  const isSeenAlike = seenAlike(old, other)
  const byParts = isSame ? null : messagesByParts(old, other)
  return {
    isAlike: (told) => {
      const rung = { account: told.event.account, rangAt: told.rangAt }
      if (before?.until(rung) !== after?.until(rung)) return false
      if (told.old.lastTold === told.new.lastTold && sameFor(told.event)) return true
      // A message says when its event was seen: another clock or language shows there already.
      if (!isSeenAlike(told.event)) return false
      if (told.old.lastTold === null && told.new.lastTold === null && leavesOutAlike(told.event)) return true
      const isAlike = byParts?.isAlike(told) ?? null
      if (isAlike !== null) return isAlike
      return messageOf(old, told, told.old) === messageOf(other, told, told.new)
    },
    needsRecords: isSame || byParts?.needsRecords === false ? 'dates' : 'all',
  }
}

interface ByParts {
  /** Whether the parts that differ read alike; null: only whole messages tell. */
  readonly isAlike: (told: ToldTwice) => boolean | null
  readonly needsRecords: boolean
}

/** Messages that differ by their templates alone; null: these are made of something else that differs, too. */
function messagesByParts(old: PeoplesTelling, other: PeoplesTelling): ByParts | null {
  const [{ channel: before }, { channel: after }] = [old, other]
  if (before.language !== after.language || !isDeepStrictEqual(before.omit, after.omit)) return null
  const parts = messagePartsAlike(before, after)
  return {
    isAlike: (told) => {
      const { account } = told.event
      const timeZone = zoneOf(old, account)
      if (told.old.lastTold !== told.new.lastTold || timeZone !== zoneOf(other, account)) return null
      const { event } = sinceTold(rowOf(told, told.old))
      return parts.isAlike(withoutOmitted(event, before.omit), { language: before.language, timeZone })
    },
    needsRecords: parts.needsRecords,
  }
}

interface ReadingAlike {
  /** Whether nothing that messages are made of differs, but for what an account says. */
  readonly isSame: boolean
  /** Whether nothing that an event's message is made of differs. */
  readonly sameFor: (event: LoggedEvent) => boolean
  /** Whether what is left out, which alone differs of that, is nothing of the event. */
  readonly leavesOutAlike: (event: LoggedEvent) => boolean
}

function readsAlike(old: PeoplesTelling, other: PeoplesTelling): ReadingAlike {
  const [before, after] = [old, other].map(({ channel: { language, omit, templates } }) => {
    return { language, omit, templates: [...templates].map(([type, { source }]) => [type, source]) }
  })
  const isSame = isDeepStrictEqual(before, after)
  const leftOut = { old: old.channel.omit, new: other.channel.omit }
  const isSameLeftOut = isDeepStrictEqual(leftOut.old, leftOut.new)
  const sourceFor = ({ channel }: PeoplesTelling, type: string) => channel.templates.get(type)?.source
  const isSaidAlike = ({ account, type }: LoggedEvent): boolean =>
    old.channel.language === other.channel.language &&
    sourceFor(old, type) === sourceFor(other, type) &&
    zoneOf(old, account) === zoneOf(other, account)
  return {
    isSame,
    sameFor: (event) => isSameLeftOut && isSaidAlike(event),
    leavesOutAlike: (event) => isSaidAlike(event) && isLeftAlike(event, leftOut),
  }
}

function zoneOf({ channel, context }: PeoplesTelling, account: string | null): string {
  return zoneFor(channel, account, context.zoneOf)
}

/** Whether messages say alike when their events were seen. */
function seenAlike(old: PeoplesTelling, other: PeoplesTelling): (event: LoggedEvent) => boolean {
  let last: { readonly key: string; readonly alike: boolean } | null = null
  const seen = ({ channel, context }: PeoplesTelling, event: LoggedEvent): string =>
    seenAt(channel, event, context.zoneOf)
  return (event) => {
    const { account } = event
    if (old.channel.language === other.channel.language && zoneOf(old, account) === zoneOf(other, account)) return true
    // Many are of one read, or of one minute.
    const key = `${Math.floor(event.timestamp / MINUTE_MS)} ${account}`
    if (last?.key !== key) last = { key, alike: seen(old, event) === seen(other, event) }
    return last.alike
  }
}

function messageOf({ channel, context }: PeoplesTelling, told: ToldTwice, how: ToldEvent): string {
  return JSON.stringify(previewBatch(channel, [sinceTold(rowOf(told, how))], context).body)
}

function rowOf({ event, rangAt }: ToldTwice, { lastTold }: ToldEvent): ClaimedDelivery {
  return { id: '', subscription: '', attempts: 0, dueAt: rangAt, rangAt, event, lastTold }
}

/** Bodies that differ by their templates alone; null: something else differs, or only whole bodies tell. */
function bodiesByParts(old: Telling, other: Telling, texts: TextsOfBoth): Likeness | null {
  const [before, after] = [bodySettings(old), bodySettings(other)]
  if (before === null || after === null) return null
  if (
    !isDeepStrictEqual(besidesTemplate(before), besidesTemplate(after)) ||
    !isDeepStrictEqual(old.channel.omit, other.channel.omit)
  )
    return null
  const parts = bodyPartsAlike(before, after)
  if (parts === null) return null
  const [one, another] = texts
  return {
    isAlike: ({ event }) => {
      const zones = texts.map(({ zone }) => zone(event.account))
      const shown = withoutOmitted(event, old.channel.omit)
      const isAlike = zones[0] === zones[1] ? parts.isAlike(shown, zones[0] ?? null) : null
      return isAlike ?? one.text(event) === another.text(event)
    },
    needsRecords: parts.needsRecords ? 'all' : 'none',
  }
}

function besidesTemplate({ contentType, language, method, timeZone }: RequestBody): readonly unknown[] {
  return [contentType, language, method, timeZone]
}

function bodySettings({ channel }: Telling): RequestBody | null {
  return 'body' in channel ? (channel.body ?? null) : null
}

/** What a program is sent of an event, as far as its subscription decides that. */
interface ProgramTexts {
  readonly kind: 'payload' | 'body'
  /** The shape of payloads; null: it is sent a body of its own. */
  readonly shape: PayloadShape | null
  readonly settings: unknown
  /** The clock that the text is written by, where the subscription leaves that to an account. */
  readonly zone: (account: string | null) => string | null
  readonly text: (event: LoggedEvent) => string
}

/** What a program is sent under the old file and under the new one. */
type TextsOfBoth = readonly [ProgramTexts, ProgramTexts]

function programTexts({ channel, context }: Telling): ProgramTexts {
  const { omit } = channel
  if ('body' in channel && channel.body !== undefined) {
    const { body } = channel
    const { contentType, language, method, template, timeZone } = body
    return {
      kind: 'body',
      shape: null,
      settings: [contentType, language, method, template.source, template.isJson, timeZone, omit],
      zone: (account) => timeZone ?? context.zoneOf(account),
      text: (event) => {
        const shown = { event: withoutOmitted(event, omit), subscription: '' }
        const made = bodyOf(body, shown, context.zoneOf(event.account))
        return JSON.stringify([method, contentType, made])
      },
    }
  }
  const shape = shapeOf(channel)
  return {
    kind: 'payload',
    shape,
    settings: [shape, omit],
    zone: () => null,
    text: (event) => payloadBytes(withoutOmitted(event, omit), shape).bytes.toString('latin1'),
  }
}

const FULL: PayloadShape = { payload: 'full', format: 'standard' }

/** `auto` is full: what an endpoint makes of that is not known. */
function shapeOf(channel: ChannelSettings): PayloadShape {
  if (!('format' in channel)) return FULL
  const { format, limitBytes, payload, source } = channel
  const origin = format === 'standard' || source === undefined ? {} : { source }
  const limit = limitBytes === undefined ? {} : { limitBytes }
  return { format, payload: payload === 'thin' ? 'thin' : 'full', ...origin, ...limit }
}
