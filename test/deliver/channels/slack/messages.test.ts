import type { KnownBlock, MessageAttachment } from '@slack/types'
import { assert, constantFrom, oneof, property, record, string } from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { eventMessage } from '../../../../src/deliver/channels/slack/event-message.ts'
import type { SlackMessage } from '../../../../src/deliver/channels/slack/slack-message.ts'
import { messageOf } from '../../../../src/message/message.ts'
import { moment } from '../../../../src/message/words/moment.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { EVENT_CATALOGUE } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import { formatInstant } from '../../../../src/model/instant.ts'
import { fullPayload } from '../../../../src/model/payload.ts'
import { accepted, shownTexts, unescaped } from './slack-limits.ts'
import { ANY_CHARACTER } from '../../../support/any-character.ts'

type Mutable<T> = T extends readonly (infer Each)[]
  ? Mutable<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)

function bodyOf(event: ShipbellEvent): string {
  return JSON.stringify(eventMessage(event, (each) => messageOf(fullPayload(each))))
}

/** An ETA that moved, of a shipment with these words in it. */
function etaOf(words: Partial<Record<'name' | 'container' | 'order' | 'port' | 'vessel', string>>): ShipbellEvent {
  const sample = sampleEvent('shipment.eta_changed')
  const { name = 'Toys', container = 'MSCU1', order = 'PO-1', port = 'CNSHA', vessel = 'Ever Given' } = words
  return {
    ...sample,
    object: { ...sample.object, vessel, route: { origin_port_unlocode: port, destination_port_unlocode: port } },
    shipment: sample.shipment && {
      ...sample.shipment,
      name,
      container_numbers: [container],
      purchase_order_references: [order],
      master_bill: vessel,
    },
  }
}

describe('a message', () => {
  it('is what Slack calls blocks and attachments', () => {
    expectTypeOf<Mutable<SlackMessage>['blocks']>().toExtend<KnownBlock[]>()
    expectTypeOf<Mutable<SlackMessage>['attachments']>().toExtend<MessageAttachment[]>()
  })

  it.each(TYPES)('of %s is taken by Slack, says its sentence and its facts', (type) => {
    const event = sampleEvent(type)
    const emitted = messageOf(fullPayload(event))
    const body = bodyOf(event)
    const shown = shownTexts(body).map(unescaped)
    expect(shown[0]).toBe(emitted.sentence)
    expect(unescaped(accepted(body).text)).toBe(
      emitted.sentence.startsWith(emitted.title) ? emitted.sentence : emitted.title,
    )
    for (const { label, value } of emitted.facts) {
      expect(shown[shown.indexOf(`*${label}*`) + 1]).toBe(value)
    }
    expect(shown.at(-1)).toBe(`${type} · ${moment(formatInstant(event.timestamp))} · ${event.id}`)
  })

  it('says what moved, from, to, by how much and which way, and what it touches', () => {
    expect(shownTexts(bodyOf(sampleEvent('shipment.eta_changed')))).toMatchInlineSnapshot(`
      [
        "Arrival (ETA) of Spring collection (SHP-1) moved 3 days later, from Sat 12 Dec 2026, 10:00 UTC to Tue 15 Dec 2026, 10:00 UTC.",
        "*From*",
        "Sat 12 Dec 2026, 10:00 UTC",
        "*To*",
        "Tue 15 Dec 2026, 10:00 UTC",
        "*Moved*",
        "3 days later",
        "*First known*",
        "Thu 10 Dec 2026, 10:00 UTC",
        "*Shipment*",
        "Spring collection (SHP-1)",
        "*Route*",
        "Shanghai (CNSHA) → Le Havre (FRLEH)",
        "*Mode*",
        "ocean",
        "*Carrier*",
        "Example Line, Ever Given, voyage 12E",
        "*Status*",
        "in progress",
        "*Containers*",
        "MSCU1234567",
        "*Orders*",
        "PO-1, PO-2",
        "*Bills*",
        "MAEU123 / HB-77",
        "*Account*",
        "acme",
        "shipment.eta_changed · Sat 21 Nov 2026, 08:00 UTC · evt_dcd2de1deb647aedd9cc00f18bb452b98381b700",
      ]
    `)
  })

  it('has the colour of its tone', () => {
    const colors = TYPES.map((type) => {
      const event = sampleEvent(type)
      return [messageOf(fullPayload(event)).tone, accepted(bodyOf(event)).attachments.map(({ color }) => color)]
    })
    expect(new Map(colors.map(([tone, color]) => [String(tone), color]))).toEqual(
      new Map([
        ['critical', ['#d72b3f']],
        ['warning', ['#e8a33d']],
        ['neutral', ['#7d8a99']],
        ['good', ['#2e9e6b']],
      ]),
    )
  })

  it('of an event with nothing known is still a message', () => {
    const bare = { ...sampleEvent('shipment.updated'), object: null, before: null, changes: null, shipment: null }
    expect(shownTexts(bodyOf({ ...bare, account: null }))[0]).toBe('Shipment SHP-1 changed.')
  })
})

describe('hostile fields', () => {
  it.each([
    ['<!channel>', '&lt;!channel&gt;'],
    ['<@U1> & <http://evil.example|click>', '&lt;@U1&gt; &amp; &lt;http://evil.example|click&gt;'],
    ['*bold* _it_ ~gone~ `code` :boom:', '*bold* _it_ ~gone~ `code` :boom:'],
    ['&lt;!channel&gt;', '&amp;lt;!channel&amp;gt;'],
    ['one\r\ntwo\u2028three\tfour\0', 'one two three four'],
    ['\u202egnp.exe\u202c \u2066x\u2069 \u200fy\u061c', 'gnp.exe x y'],
    ['half \ud83d of one', 'half \ufffd of one'],
    ['hid\u{e0041}\u200b\ufeffden\ufffe', 'hidden'],
    ['👩‍🔧 می‌خواهم ❤️', '👩‍🔧 می‌خواهم ❤️'],
  ])('%j are text that is read as it is', (name, shown) => {
    const event = etaOf({ name, container: name, order: name, port: name, vessel: name })
    const texts = shownTexts(bodyOf(event))
    expect(texts[0]).toBe(
      `Arrival (ETA) of ${shown} (SHP-1) moved 3 days later, from Sat 12 Dec 2026, 10:00 UTC to Tue 15 Dec 2026, 10:00 UTC.`,
    )
    expect(texts[texts.indexOf('*Containers*') + 1]).toBe(shown)
    expect(texts[texts.indexOf('*Route*') + 1]).toBe(`${shown} → ${shown}`)
    expect(shown.startsWith((accepted(bodyOf(event)).text.split(' · ')[1] ?? '').replace(/…$/, ''))).toBe(true)
  })

  it('that nothing can be seen of are a dash', () => {
    const texts = shownTexts(bodyOf(etaOf({ order: '\u200b\u3164 \u00a0\u202e\n' })))
    expect(texts[texts.indexOf('*Orders*') + 1]).toBe('–')
  })

  it('are cut, neither a character nor an entity in half', () => {
    for (const filler of ['&', '👩', '<', '語', '"', 'x']) {
      for (let lead = 0; lead < 8; lead += 1) {
        const name = 'a'.repeat(lead) + filler.repeat(50_000)
        const texts = shownTexts(bodyOf(etaOf({ name, container: name, order: name, port: name, vessel: name })))
        expect(texts[0]?.isWellFormed()).toBe(true)
      }
    }
  })

  it('that are all long together leave out what does not fit, never what moved', () => {
    const long = '語'.repeat(1_000)
    const eta = etaOf({ name: long, port: long, vessel: long })
    const five = Array.from({ length: 5 }, () => long)
    const lists = { container_numbers: five, purchase_order_references: five, freight_mode: long, status: long }
    const change = { from: { date: long }, to: { date: `${long}!` }, first: { date: 'x' }, shift_minutes: 60 }
    const body = bodyOf({
      ...eta,
      shipment: eta.shipment && { ...eta.shipment, ...lists },
      extras: { date_change: change },
    })
    const labels = shownTexts(body).filter((text) => text.startsWith('*'))
    expect(labels.slice(0, 5)).toEqual(['*From*', '*To*', '*Moved*', '*First known*', '*Shipment*'])
    expect(labels.length).toBeLessThan(9)
  })

  it('of any kind make a message that Slack takes, of every type', () => {
    const piece = oneof(
      string({ unit: ANY_CHARACTER, maxLength: 300 }),
      string({ unit: 'grapheme', maxLength: 300 }),
      constantFrom('<!here>', '&'.repeat(3_000), '語'.repeat(100_000), '\u202e', '```', '\r\n', '', '__proto__'),
    )
    const words = record({ name: piece, container: piece, order: piece, port: piece, vessel: piece })
    assert(
      property(words, constantFrom(...TYPES), piece, (hostile, type, value) => {
        const eta = etaOf(hostile)
        const event = {
          ...eta,
          type,
          subject: { ...eta.subject, id: value },
          account: hostile.order,
          changes: [{ path: `/${value}`, from: value, to: hostile.name }],
          extras: { ...sampleEvent(type).extras, from: value, to: hostile, reason: value, container: hostile },
        }
        accepted(bodyOf(event))
      }),
      { numRuns: 150 },
    )
  })
})
