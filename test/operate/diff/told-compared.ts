import { expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { seenAt } from '../../../src/deliver/channels/message-renderer.ts'
import { EVENT_CATALOGUE } from '../../../src/model/event-catalogue.ts'
import { keepTexts } from '../../../src/model/event-texts.ts'
import type { LoggedEvent } from '../../../src/model/event.ts'
import { tellsRecordDates } from '../../../src/message/message-fields.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { withoutOmitted } from '../../../src/model/omit.ts'
import { LANGUAGES } from '../../../src/model/reader.ts'
import type { ChannelSettings } from '../../../src/model/subscription.ts'
import { isToldAlike } from '../../../src/operate/diff/left-alike.ts'
import { namedApart } from '../../../src/operate/diff/named-apart.ts'
import { ZonesAlike } from '../../../src/operate/diff/zones-alike.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from '../../deliver/channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'

const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const ZONE = 'America/New_York'
const CONTEXT = { links: () => [], zoneOf: () => ZONE }

const chatChannel = <K extends 'slack' | 'teams' | 'google_chat' | 'mattermost' | 'rocketchat'>(kind: K) => ({
  ...PEOPLES_CHANNEL,
  ...POSTED,
  kind,
})

export const SLACK = chatChannel('slack')
export const OTHER_CHATS = (['teams', 'google_chat', 'mattermost', 'rocketchat'] as const).map(chatChannel)
export const EMAIL = emailChannel()
export const DIGEST = emailChannel({ digest: { atMinutes: 480, timeZone: 'UTC', every: 'day' } })

type TellingChannel = typeof SLACK | (typeof OTHER_CHATS)[number] | typeof EMAIL

export const EVENTS: readonly LoggedEvent[] = EVENT_CATALOGUE.map(({ type }) => ({
  ...sampleEvent(type),
  cause: 'change',
  expiredAt: null,
}))

/** The event as it is read from a log, with its record as a text. */
export function withTexts(event: LoggedEvent): LoggedEvent {
  const logged = { ...event }
  if (event.object !== null) keepTexts(logged, { objectJson: Buffer.from(JSON.stringify(event.object)) })
  return logged
}

const byName = (channels: readonly TellingChannel[]): readonly (readonly [string, TellingChannel])[] =>
  channels.map((channel) => [channel === DIGEST ? 'a digest' : channel.kind, channel])

export function compareMoments(channels: readonly TellingChannel[]): void {
  it.each(byName(channels))('%s says when an event was seen', (_, channel) => {
    for (const event of [...EVENTS, long()]) {
      const { body } = previewBatch(channel, [claimed(event)], CONTEXT)
      expect(JSON.stringify(body)).toContain(seenAt(channel, event, CONTEXT.zoneOf))
    }
  })
}

const OMITTED = ['/note', '/name', '/route', '/specific_instructions', 'shipment:/booking_information', '/cargo', '/*']

export function compareOmitted(channels: readonly TellingChannel[]): void {
  it.each(byName(channels))('%s says the same of an event where what is left out is told of alike', (_, channel) => {
    const shown = (event: LoggedEvent, omit?: readonly string[]): unknown =>
      previewBatch({ ...channel, ...(omit !== undefined && { omit }) }, [claimed(event)], CONTEXT).body
    const judged = EVENTS.flatMap((event) => {
      const alike = OMITTED.filter((pointer) => isToldAlike(event, { old: undefined, new: [pointer] }))
      const whole = shown(event)
      for (const pointer of alike)
        expect([event.type, pointer, shown(event, [pointer])]).toEqual([event.type, pointer, whole])
      return alike
    })
    expect(new Set(judged)).toEqual(new Set(OMITTED.slice(0, -1)))
  })
}

const NAMING = ['/name', '/cargo', '/status', '/purchase_order_references', '/booking_information', '/note', '/*']

export function compareNames(channels: readonly TellingChannel[]): void {
  it.each(byName(channels))('%s shows where what is left out names a shipment, or is in it', (_, channel) => {
    const named = NAMING.filter((pointer) => {
      const other = { ...channel, omit: [pointer] }
      const isApart = namedApart(channel, other)
      const apart = EVENTS.filter(isApart)
      for (const event of apart)
        expect([event.type, sentBody(other, event)]).not.toEqual([event.type, sentBody(channel, event)])
      return apart.length > 0
    })
    expect(named).toEqual(NAMING.filter((pointer) => pointer !== '/note'))
  })
}

export function compareRecordDates(channels: readonly TellingChannel[]): void {
  it.each(byName(channels))(
    '%s says the same of an event whose record has other dates, where it tells none',
    (_, channel) => {
      for (const language of LANGUAGES) {
        const spoken = { ...channel, language }
        const untold = EVENTS.filter((event) => !tellsRecordDates(event, language))
        for (const event of untold) {
          const { before, object } = event
          const dated = { ...event, object: withOtherDates(object), before: withOtherDates(before) }
          expect([event.type, sentBody(spoken, dated)]).toEqual([event.type, sentBody(spoken, event)])
        }
        expect(untold.length).toBeGreaterThan(20)
      }
    },
  )
}

function sentBody(channel: ChannelSettings, event: LoggedEvent): string {
  const row = claimed({ ...event, ...withoutOmitted(event, channel.omit) })
  return JSON.stringify(previewBatch(channel, [row], CONTEXT).body)
}

function withOtherDates(record: JsonObject | null): JsonObject | null {
  const text = JSON.stringify(record).replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"2031-05-05T05:05:00Z"')
  const other: JsonObject | null = JSON.parse(text)
  return other
}

const SHOWN = { hasRecord: true, template: null }
const ZONES = ['Europe/Paris', 'Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Africa/Lagos']

export function compareClocks(channels: readonly TellingChannel[], events: readonly LoggedEvent[]): void {
  it.each(byName(channels))('%s says the same of an event where clocks read alike', (_, channel) => {
    const old = events.map((event) => ({
      ...event,
      extras: { ...event.extras, from: { date: '1890-01-01T00:00:00Z' } },
    }))
    const shown = new Map(ZONES.map((timeZone) => [timeZone, new Map<LoggedEvent, string>()]))
    const shownIn = (timeZone: string, event: LoggedEvent): string => {
      const kept = shown.get(timeZone)?.get(event)
      if (kept !== undefined) return kept
      const body = JSON.stringify(previewBatch({ ...channel, timeZone }, [claimed(event)], CONTEXT).body)
      shown.get(timeZone)?.set(event, body)
      return body
    }
    const zonesAlike = new ZonesAlike('en')
    const logged = [...events, ...old].map((event) => ({ event, texts: withTexts(event) }))
    const judged = ZONES.flatMap((one) =>
      ZONES.flatMap((another) =>
        logged.filter(({ event, texts }) => {
          const zones = { old: one, new: another }
          const isAlike = zonesAlike.readAlike(event, zones, SHOWN)
          expect(zonesAlike.readAlike(texts, zones, SHOWN)).toBe(isAlike)
          if (!isAlike) return false
          expect(shownIn(one, event)).toBe(shownIn(another, event))
          return one !== another
        }),
      ),
    )
    expect(judged.length).toBeGreaterThan(events.length)
  })
}

/** An event whose message is longer than any chat takes. */
function long(): LoggedEvent {
  const event = EVENTS.find(({ type }) => type === 'shipment.eta_changed')
  if (event === undefined) throw new Error('Dates change.')
  const name = 'x'.repeat(50_000)
  return {
    ...event,
    object: { ...event.object, name },
    shipment: event.shipment === null ? null : { ...event.shipment, name },
  }
}
