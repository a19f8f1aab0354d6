import { isDeepStrictEqual } from 'node:util'
import { previewBatch } from '../../deliver/channels/channel-kinds.ts'
import { messageRenderer, seenAt, zoneFor } from '../../deliver/channels/message-renderer.ts'
import { PutOff } from '../../deliver/put-off.ts'
import { sinceTold } from '../../deliver/since-told.ts'
import { factsAbout, factsOf } from '../../message/facts/facts.ts'
import { factLine } from '../../message/facts/fact.ts'
import type { Message } from '../../message/message.ts'
import { wordingOf } from '../../message/wording/wording.ts'
import { toldPayload } from '../../message/message-fields.ts'
import { fullPayload } from '../../model/payload.ts'
import { operatorEngine } from '../../message/template/operator-template.ts'
import type { DailyTime } from '../../model/daily-time.ts'
import type { LoggedEvent, ShipbellEvent } from '../../model/event.ts'
import { withoutOmitted } from '../../model/omit.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'
import { once } from '../../once.ts'
import type { ToldEvent } from '../../route/log-walk.ts'
import type { ClaimedDelivery } from '../../store/ports/delivery-port.ts'
import type { DiffMemory, OutlinesAlike } from './diff-memory.ts'
import { digestLinesAlike, digestsNamedAlike, type SaidEvent, textsReadAlike } from './digests-alike.ts'
import { toldEvent } from './lean-event.ts'
import { isLeftAlike, isToldAlike } from './left-alike.ts'
import type { Likeness, Telling, ToldTwice } from './likeness.ts'
import { namedApart } from './named-apart.ts'
import { isSeenApart, seenText } from './outline-judge.ts'
import { messagesAlike } from './outlines-alike.ts'
import type { Verdict } from './verdicts.ts'
import { datedTemplate, type DatedTemplate, ZonesAlike } from './zones-alike.ts'

const MINUTE_MS = 60_000

export type PeoplesTelling = Telling & { readonly channel: Extract<ChannelSettings, PeoplesChannel> }

/** Compares how two channels of one kind tell people of an event. */
export function toldToPeopleAlike(old: PeoplesTelling, other: PeoplesTelling, memory: DiffMemory): Likeness {
  const [before, after] = [old, other].map(({ channel, context }) => new PutOff(channel, context.zoneOf))
  const { isSaidSame, isSame, leavesOutAlike, sameFor, tellsAlike } = readsAlike(old, other)
  const isSeenAlike = seenAlike(old, other)
  const namesDigestsAlike = digestsNamedAlike(digestOf(old), digestOf(other))
  const readAlike = clocksAlike(old, other)
  const isNamedApart = isDigest(old) ? () => false : namedApart(old.channel, other.channel)
  const byOutlines = isSame ? null : messagesByOutlines(old, other, memory)
  const templates = [old, other].map(({ channel }) => channel.templates)
  const readsRecords = (type: string): boolean =>
    templates.some((each) => each.has(type) && datedOf(each.get(type)?.source ?? '').readsRecords)
  const needsOfSingle = templates.some((each) => [...each.keys()].some(readsRecords)) ? 'all' : 'shown'
  return {
    isAlike: (told) => {
      const { event, hasBefore, hasRecord } = told
      const rung = { account: event.account, rangAt: told.rangAt }
      const until = before?.until(rung) ?? null
      if (until !== (after?.until(rung) ?? null) || !namesDigestsAlike(until)) return false
      if (told.old.lastTold === told.new.lastTold && sameFor(event)) return true
      // A message says when its event was seen: another clock or language shows there already.
      if (!isSeenAlike(event)) return false
      if (isNamedApart(event)) return false
      const isSeenWhole = readsRecords(event.type)
      const lean = once(() => (isSeenWhole ? told : { ...told, event: toldEvent(event) }))
      const isAlike = byOutlines?.isAlike(told, lean) ?? null
      if (isAlike !== null) return isAlike
      const isOfLog = told.old.lastTold === null && told.new.lastTold === null
      if (isOfLog && tellsAlike(event)) return true
      if (readAlike(told)) return true
      if (!hasRecord || (isSeenWhole && !hasBefore)) return null
      if (isOfLog && leavesOutAlike(event)) return true
      const isRead = isDigest(old)
        ? linesAlike([old, other], lean(), byOutlines)
        : (ownTextsAlike([old, other], lean(), byOutlines) ?? messagesAloneAlike(old, other, lean()))
      return isRead ?? bodyOf(old, lean(), told.old) === bodyOf(other, lean(), told.new)
    },
    needsRecords: isSame || !(byOutlines?.needsRecords ?? !isSaidSame) ? 'none' : needsOfSingle,
    needsOfSingle,
  }
}

interface ByOutlines {
  /** How both make texts of events of a type; null: their outlines never tell. */
  readonly of: (type: string) => OutlinesAlike | null
  /** Whether messages read alike; null: their outlines do not tell. `lean`: with the part of the record that they look at. */
  readonly isAlike: (told: ToldTwice, lean: () => ToldTwice) => Verdict
  readonly needsRecords: boolean
}

/** Messages that differ by their templates alone; null: these are made of something else that differs, too. */
function messagesByOutlines(old: PeoplesTelling, other: PeoplesTelling, memory: DiffMemory): ByOutlines | null {
  const [{ channel: before }, { channel: after }] = [old, other]
  if (before.language !== after.language || !isDeepStrictEqual(before.omit, after.omit)) return null
  const messages = messagesAlike(before, after, memory)
  return {
    of: messages.of,
    isAlike: (told, lean) => {
      const { account, type } = told.event
      // Nearly each event makes lines of its own, which are compared themselves.
      if (isDigest(old) && messages.of(type)?.needsRecords === true) return null
      const timeZone = zoneOf(old, account)
      if (told.old.lastTold !== told.new.lastTold || timeZone !== zoneOf(other, account)) return null
      const shown = once(() => shownTo(old, lean(), told.old))
      return messages.of(type)?.isAlike(shown, { language: before.language, timeZone }) ?? null
    },
    needsRecords: messages.needsRecords,
  }
}

function isDigest(telling: PeoplesTelling): boolean {
  return digestOf(telling) !== null
}

function digestOf({ channel }: PeoplesTelling): DailyTime | null {
  return 'digest' in channel ? channel.digest : null
}

interface ReadingAlike {
  /** Whether the words are the same: templates and language. */
  readonly isSaidSame: boolean
  /** Whether nothing that messages are made of differs, but for what an account says. */
  readonly isSame: boolean
  /** Whether nothing that an event's message is made of differs. */
  readonly sameFor: (event: LoggedEvent) => boolean
  /** Whether what is left out, which alone differs of that, is nothing of the event. */
  readonly leavesOutAlike: (event: LoggedEvent) => boolean
  /** Whether that is nothing that messages tell of, whatever the records of the event hold. */
  readonly tellsAlike: (event: LoggedEvent) => boolean
}

function readsAlike(old: PeoplesTelling, other: PeoplesTelling): ReadingAlike {
  const [before, after] = [old, other].map(({ channel: { language, templates } }) => {
    return { language, templates: [...templates].map(([type, { source }]) => [type, source]) }
  })
  const leftOut = { old: old.channel.omit, new: other.channel.omit }
  const isSameLeftOut = isDeepStrictEqual(leftOut.old, leftOut.new)
  const isSaidSame = isDeepStrictEqual(before, after)
  const sourceFor = ({ channel }: PeoplesTelling, type: string) => channel.templates.get(type)?.source
  const isSaidAlike = ({ account, type }: LoggedEvent): boolean =>
    old.channel.language === other.channel.language &&
    sourceFor(old, type) === sourceFor(other, type) &&
    zoneOf(old, account) === zoneOf(other, account)
  return {
    isSaidSame,
    isSame: isSaidSame && isSameLeftOut,
    sameFor: (event) => isSameLeftOut && isSaidAlike(event),
    leavesOutAlike: (event) => isSaidAlike(event) && isLeftAlike(event, leftOut, false) === true,
    tellsAlike: (event) => {
      const template = sourceFor(old, event.type)
      const readsRecords = template !== undefined && datedOf(template).readsRecords
      return isSaidAlike(event) && !readsRecords && isToldAlike(event, leftOut)
    },
  }
}

/** Whether a template looks into the records of events itself, and makes dates. */
function datedOf(source: string): DatedTemplate {
  const known = DATED.get(source) ?? datedTemplate(source, (text) => operatorEngine().compile(text))
  DATED.set(source, known)
  return known
}

const DATED = new Map<string, DatedTemplate>()

function zoneOf({ channel, context }: PeoplesTelling, account: string | null): string {
  return zoneFor(channel, account, context.zoneOf)
}

/** Whether messages say alike when their events were seen. */
function seenAlike(old: PeoplesTelling, other: PeoplesTelling): (event: LoggedEvent) => boolean {
  let last: { readonly key: string; readonly alike: boolean } | null = null
  const seen = ({ channel, context }: PeoplesTelling, event: LoggedEvent): string =>
    seenAt(channel, event, context.zoneOf)
  const isNamed = isDigest(old)
  const clocks = new ZonesAlike(old.channel.language)
  return (event) => {
    const { account, timestamp } = event
    const zones = { old: zoneOf(old, account), new: zoneOf(other, account) }
    // A digest names its clock.
    if (isNamed && zones.old !== zones.new) return false
    if (old.channel.language === other.channel.language) return zones.old === zones.new || clocks.at(timestamp, zones)
    // Many are of one read, or of one minute.
    const key = `${Math.floor(event.timestamp / MINUTE_MS)} ${account}`
    if (last?.key !== key) last = { key, alike: seen(old, event) === seen(other, event) }
    return last.alike
  }
}

/** Whether messages that differ by their clocks alone show no date of which these say another time. */
function clocksAlike(old: PeoplesTelling, other: PeoplesTelling): (told: ToldTwice) => boolean {
  const { language, omit, templates } = old.channel
  const clocks = new ZonesAlike(language)
  const isOneLanguage = language === other.channel.language && isDeepStrictEqual(omit, other.channel.omit)
  return ({ event, hasBefore, hasRecord: hasOwn, new: after, old: before }) => {
    const zones = { old: zoneOf(old, event.account), new: zoneOf(other, event.account) }
    const [template, another] = [templates, other.channel.templates].map((each) => each.get(event.type)?.source ?? null)
    if (!isOneLanguage || isDigest(old) || template !== another || template === undefined) return false
    if (before.lastTold !== null || after.lastTold !== null) return false
    const hasRecord = hasOwn && (hasBefore || template === null || !datedOf(template).readsRecords)
    return clocks.readAlike(event, zones, { hasRecord, template: template === null ? null : datedOf(template) })
  }
}

/** Whether digests say the same of an event; null: what differs of that cannot be seen, or is not said by a message. */
function linesAlike(
  [old, other]: readonly [PeoplesTelling, PeoplesTelling],
  told: ToldTwice,
  byOutlines: ByOutlines | null,
): Verdict {
  // Digests that differ in their zones are not alike.
  const isOneEvent = byOutlines !== null && told.old.lastTold === told.new.lastTold
  const texts = isOneEvent ? (byOutlines.of(told.event.type)?.texts ?? (() => null)) : null
  return digestLinesAlike([saidEvent(old, told, told.old), saidEvent(other, told, told.new)], texts)
}

function saidEvent(telling: PeoplesTelling, told: ToldTwice, how: ToldEvent): SaidEvent {
  const { account, type } = told.event
  return {
    event: shownTo(telling, told, how),
    template: telling.channel.templates.get(type),
    reader: { language: telling.channel.language, timeZone: zoneOf(telling, account) },
  }
}

/** Whether messages of two templates read alike; null: one has none, more than templates differs, or what differs cannot be seen. */
function ownTextsAlike(
  [old, other]: readonly [PeoplesTelling, PeoplesTelling],
  told: ToldTwice,
  byOutlines: ByOutlines | null,
): Verdict {
  const { account, type } = told.event
  const texts = byOutlines?.of(type)?.texts
  const isOwn = [old, other].every(({ channel }) => channel.templates.has(type))
  if (texts === undefined || !isOwn || told.old.lastTold !== told.new.lastTold) return null
  if (zoneOf(old, account) !== zoneOf(other, account)) return null
  return textsReadAlike(saidEvent(old, told, told.old), texts)
}

/** Whether messages of their own read alike; null: what differs cannot be seen. */
function messagesAloneAlike(old: PeoplesTelling, other: PeoplesTelling, told: ToldTwice): Verdict {
  if (factsDiffer(old, other, told)) return false
  return messagesReadAlike(messageOf(old, told, told.old), messageOf(other, told, told.new))
}

/** Whether a channel makes the same of two messages; null: what differs cannot be seen. Whether it cuts them is not asked. */
function messagesReadAlike(one: Message, another: Message): Verdict {
  const [shown, other] = [one, another].map(({ facts, links, seen, sentence, title, tone, type }) => {
    return [tone, type, seen, sentence, title, facts.flatMap(({ label, value }) => [label, value]), links]
  })
  if (isDeepStrictEqual(shown, other)) return true
  const [seen, otherSeen] = [one, another].map(({ facts, sentence }) =>
    [sentence, ...facts.map((fact) => factLine(fact))].map(seenText),
  )
  return isDeepStrictEqual(seen, otherSeen) ? null : false
}

/** Whether built-in messages show other facts, which are made sooner than a sentence; false: no built-in messages, or nobody knows yet. */
function factsDiffer(old: PeoplesTelling, other: PeoplesTelling, told: ToldTwice): boolean {
  const { account, type } = told.event
  if ([old, other].some(({ channel }) => channel.templates.has(type))) return false
  const shown = [old, other].map((telling) => {
    const payload = toldPayload(fullPayload(shownTo(telling, told, telling === old ? told.old : told.new)))
    return { payload, wording: wordingOf({ language: telling.channel.language, timeZone: zoneOf(telling, account) }) }
  })
  const [about = [], otherAbout = []] = shown.map(({ payload, wording }) => factsAbout(payload, wording))
  // What left out differs in is seldom what changed.
  if (
    about.length === otherAbout.length &&
    about.some((fact, nth) => isSeenApart(fact?.value ?? '', otherAbout[nth]?.value ?? ''))
  )
    return true
  const [facts, others] = shown.map(({ payload, wording }) => factsOf(payload, wording).map(factLine))
  return !isDeepStrictEqual(facts, others) && !isDeepStrictEqual(facts?.map(seenText), others?.map(seenText))
}

function messageOf(telling: PeoplesTelling, told: ToldTwice, how: ToldEvent): Message {
  return messageRenderer(telling.channel, telling.context)(shownTo(telling, told, how))
}

function shownTo({ channel }: PeoplesTelling, told: ToldTwice, how: ToldEvent): ShipbellEvent {
  return withoutOmitted(sinceTold(rowOf(told, how)).event, channel.omit)
}

function bodyOf({ channel, context }: PeoplesTelling, told: ToldTwice, how: ToldEvent): string {
  return JSON.stringify(previewBatch(channel, [sinceTold(rowOf(told, how))], context).body)
}

function rowOf({ event, rangAt }: ToldTwice, { lastTold }: ToldEvent): ClaimedDelivery {
  return { id: '', subscription: '', attempts: 0, dueAt: rangAt, rangAt, event, lastTold }
}
