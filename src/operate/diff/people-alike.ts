import { isDeepStrictEqual } from 'node:util'
import { previewBatch } from '../../deliver/channels/channel-kinds.ts'
import { seenAt, zoneFor } from '../../deliver/channels/message-renderer.ts'
import { PutOff } from '../../deliver/put-off.ts'
import { sinceTold } from '../../deliver/since-told.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { withoutOmitted } from '../../model/omit.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'
import { once } from '../../once.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import type { ClaimedDelivery } from '../../store/ports/delivery-port.ts'
import { isLeftAlike } from './left-alike.ts'
import type { Likeness, Telling, ToldTwice } from './likeness.ts'
import type { Verdict } from './outline-judge.ts'
import { messagesAlike } from './outlines-alike.ts'

const MINUTE_MS = 60_000

export type PeoplesTelling = Telling & { readonly channel: Extract<ChannelSettings, PeoplesChannel> }

/** Compares how two channels of one kind tell people of an event. */
export function toldToPeopleAlike(old: PeoplesTelling, other: PeoplesTelling): Likeness {
  const [before, after] = [old, other].map(({ channel, context }) => new PutOff(channel, context.zoneOf))
  const { isSame, leavesOutAlike, sameFor } = readsAlike(old, other)
  const isSeenAlike = seenAlike(old, other)
  const byOutlines = isSame ? null : messagesByOutlines(old, other)
  return {
    isAlike: (told) => {
      const { event, hasRecords } = told
      const rung = { account: event.account, rangAt: told.rangAt }
      if (before?.until(rung) !== after?.until(rung)) return false
      if (told.old.lastTold === told.new.lastTold && sameFor(event)) return true
      // A message says when its event was seen: another clock or language shows there already.
      if (!isSeenAlike(event)) return false
      const isAlike = byOutlines?.isAlike(told) ?? null
      if (isAlike !== null) return isAlike
      if (!hasRecords) return null
      if (told.old.lastTold === null && told.new.lastTold === null && leavesOutAlike(event)) return true
      return messageOf(old, told, told.old) === messageOf(other, told, told.new)
    },
    needsRecords: isSame || byOutlines?.needsRecords === false ? 'none' : 'all',
  }
}

interface ByOutlines {
  /** Whether messages read alike; null: their outlines do not tell. */
  readonly isAlike: (told: ToldTwice) => Verdict
  readonly needsRecords: boolean
}

/** Messages that differ by their templates alone; null: these are made of something else that differs, too. */
function messagesByOutlines(old: PeoplesTelling, other: PeoplesTelling): ByOutlines | null {
  const [{ channel: before }, { channel: after }] = [old, other]
  // A digest tells of an event what fits in a line.
  const isDigest = 'digest' in before && before.digest !== null
  if (isDigest || before.language !== after.language || !isDeepStrictEqual(before.omit, after.omit)) return null
  const messages = messagesAlike(before, after)
  return {
    isAlike: (told) => {
      const { account, type } = told.event
      const timeZone = zoneOf(old, account)
      if (told.old.lastTold !== told.new.lastTold || timeZone !== zoneOf(other, account)) return null
      const shown = once(() => withoutOmitted(sinceTold(rowOf(told, told.old)).event, before.omit))
      return messages.of(type)?.isAlike(shown, { language: before.language, timeZone }) ?? null
    },
    needsRecords: messages.needsRecords,
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
