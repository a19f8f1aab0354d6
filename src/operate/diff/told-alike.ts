import { isDeepStrictEqual } from 'node:util'
import { once } from '../../once.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { bodyEngine } from '../../message/template/body-template.ts'
import { withoutOmitted } from '../../model/omit.ts'
import { payloadBytes, type PayloadShape } from '../../model/payload.ts'
import { bodyOf, type RequestBody } from '../../model/request-body.ts'
import type { ChannelSettings, PeoplesChannel } from '../../model/subscription.ts'
import type { DiffMemory } from './diff-memory.ts'
import { isLeftAlike, isSentWhole } from './left-alike.ts'
import type { Likeness, Telling } from './likeness.ts'
import { bodiesAlike } from './outlines-alike.ts'
import { toldToPeopleAlike } from './people-alike.ts'
import { datedTemplate, type DatedTemplate, ZonesAlike } from './zones-alike.ts'

/** Compares how two subscriptions of one name tell an event. */
export function likenessOf(old: Telling, other: Telling, memory: DiffMemory): Likeness {
  if (old.target !== other.target || old.channel.kind !== other.channel.kind) return NEVER
  if (isPeoples(old.channel) && isPeoples(other.channel))
    return toldToPeopleAlike({ ...old, channel: old.channel }, { ...other, channel: other.channel }, memory)
  const [before, after] = [old, other].map(programTexts)
  if (before === undefined || after === undefined || before.kind !== after.kind) return NEVER
  const isSame = isDeepStrictEqual(before.settings, after.settings)
  const outlined = isSame ? null : bodiesByOutlines(old, other, { texts: [before, after], memory })
  if (outlined !== null) return outlined
  if (before.shape !== null && after.shape !== null) {
    const [one, another] = [before.shape, after.shape]
    if (one.format !== another.format) return NEVER
    if (one.payload !== another.payload && isDeepStrictEqual(old.channel.omit, other.channel.omit))
      return thinning([before, after])
    if (one.payload === 'full' && !isSame && isDeepStrictEqual(one, another))
      return omitting(old, other, [before, after])
  }
  return bodiesOrShapes(old, other, { isSame, texts: [before, after] })
}

/** What differs by its shape, or bodies by more than their templates: whole texts tell, but where clocks read alike. */
function bodiesOrShapes(
  old: Telling,
  other: Telling,
  { isSame, texts }: { readonly isSame: boolean; readonly texts: TextsOfBoth },
): Likeness {
  const [before, after] = texts
  const [one, another] = [old, other].map((telling) => datedBody(bodySettings(telling)))
  const needsBefore = one?.readsRecords !== false || another?.readsRecords !== false
  const needsOfSingle = needsBefore ? 'all' : 'shown'
  const clocks = clocksOfOneBody(old, other)
  return {
    isAlike: ({ event, hasBefore, hasRecord }) => {
      const zones = { old: before.zone(event.account), new: after.zone(event.account) }
      if (isSame && zones.old === zones.new) return true
      const isShown = hasRecord && (hasBefore || !needsBefore)
      const instants = { old: zones.old ?? 'UTC', new: zones.new ?? 'UTC' }
      if (clocks?.readAlike(event, instants, { hasRecord: isShown, template: one ?? null }) === true) return true
      return isShown ? before.text(event) === after.text(event) : null
    },
    needsRecords: isSame || (clocks !== null && !needsBefore) ? 'none' : needsOfSingle,
    needsOfSingle,
  }
}

/** The clocks of bodies that differ by these alone; null: they differ by more. */
function clocksOfOneBody(old: Telling, other: Telling): ZonesAlike | null {
  const [body, another] = [bodySettings(old), bodySettings(other)]
  const isOneBody =
    body !== null &&
    another !== null &&
    isDeepStrictEqual(onAnyClock(body), onAnyClock(another)) &&
    isDeepStrictEqual(old.channel.omit, other.channel.omit)
  return isOneBody ? new ZonesAlike(body.language) : null
}

function datedBody(body: RequestBody | null): DatedTemplate | null {
  if (body === null) return null
  const { isJson, source } = body.template
  return datedTemplate(source, (text) => bodyEngine(isJson).compile(text))
}

function onAnyClock({ contentType, language, method, template }: RequestBody): readonly unknown[] {
  return [contentType, language, method, template.source, template.isJson]
}

const NEVER: Likeness = { isAlike: () => false, needsRecords: 'none', needsOfSingle: 'shown' }

/** A thin payload is another wherever the full one shows a record, or changes of it; others are short. */
function thinning([before, after]: TextsOfBoth): Likeness {
  return {
    isAlike: ({ event }) => event.changes === null && event.object === null && before.text(event) === after.text(event),
    needsRecords: 'whole',
    needsOfSingle: 'shown',
  }
}

/** Full payloads that differ by what is left out: only long ones, which may be sent thin, are made to be compared. */
function omitting(old: Telling, other: Telling, [before, after]: TextsOfBoth): Likeness {
  const leftOut = { old: old.channel.omit, new: other.channel.omit }
  const limit = before.shape?.limitBytes
  return {
    isAlike: ({ event, hasBefore, hasRecord }) => {
      if (!hasRecord) return null
      const isAlike = isLeftAlike(event, leftOut, hasBefore)
      if (isAlike !== false || isSentWhole(event, limit)) return isAlike
      return hasBefore ? before.text(event) === after.text(event) : null
    },
    needsRecords: 'shown',
    needsOfSingle: 'all',
  }
}

function isPeoples(channel: ChannelSettings): channel is Extract<ChannelSettings, PeoplesChannel> {
  return 'templates' in channel
}

interface Outlining {
  readonly texts: TextsOfBoth
  readonly memory: DiffMemory
}

/** Bodies that differ by their templates alone; null: something else differs, or only whole bodies tell. */
function bodiesByOutlines(old: Telling, other: Telling, { memory, texts }: Outlining): Likeness | null {
  const [before, after] = [bodySettings(old), bodySettings(other)]
  if (before === null || after === null) return null
  if (
    !isDeepStrictEqual(besidesTemplate(before), besidesTemplate(after)) ||
    !isDeepStrictEqual(old.channel.omit, other.channel.omit)
  )
    return null
  const outlines = bodiesAlike(before, after, memory)
  if (outlines === null) return null
  const [one, another] = texts
  return {
    isAlike: ({ event, hasBefore }) => {
      const [zone = null, otherZone = null] = texts.map((each) => each.zone(event.account))
      const reader = { language: before.language, timeZone: zone ?? 'UTC' }
      const shown = once(() => withoutOmitted(event, old.channel.omit))
      const isAlike = zone === otherZone ? outlines.isAlike(shown, reader) : null
      return isAlike ?? (hasBefore ? one.text(event) === another.text(event) : null)
    },
    needsRecords: outlines.needsRecords ? 'all' : 'none',
    needsOfSingle: 'all',
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
    const { contentType, method, timeZone } = body
    return {
      kind: 'body',
      shape: null,
      settings: [onAnyClock(body), timeZone, omit],
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
