import { wordingOf } from '../../../../src/message/wording/wording.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'
import { assert, constantFrom, oneof, property, record, string } from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { previewBatch } from '../../../../src/deliver/channels/channel-kinds.ts'
import type { GoogleChatMessage } from '../../../../src/deliver/channels/google-chat/google-chat-message.ts'
import { factLine } from '../../../../src/message/facts/fact.ts'
import { messageOf } from '../../../../src/message/message.ts'
import { moment } from '../../../../src/message/words/moment.ts'
import { EVENT_CATALOGUE } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import { formatInstant } from '../../../../src/model/instant.ts'
import { fullPayload } from '../../../../src/model/payload.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { sampleBatch } from '../../sample-event.ts'
import { shownInTeams } from './adaptive-card.ts'
import { shownInMattermost, shownInRocketChat } from './attachments.ts'
import { shownInGoogleChat, type PublishedMessage } from './google-chat-card.ts'
import { ANY_CHARACTER } from '../../../support/any-character.ts'
import { runs } from '../../../support/runs.ts'

type Mutable<T> = T extends readonly (infer Each)[]
  ? Mutable<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

/** The keys of a type that another does not have, however deep. */
type Unknown<T, Known> = T extends readonly (infer Each)[]
  ? Known extends readonly (infer Other)[]
    ? Unknown<Each, Other>
    : never
  : T extends object
    ? { [Key in keyof T]-?: Key extends AnyKey<Known> ? Unknown<T[Key], AnyValue<Known, Key>> : Key }[keyof T]
    : never
type AnyKey<T> = T extends unknown ? keyof T : never
type AnyValue<T, Key> = T extends unknown ? (Key extends keyof T ? NonNullable<T[Key]> : never) : never

const CHATS = [
  { kind: 'teams', shown: shownInTeams },
  { kind: 'google_chat', shown: shownInGoogleChat },
  { kind: 'mattermost', shown: shownInMattermost },
  { kind: 'rocketchat', shown: shownInRocketChat },
] as const
type Chat = (typeof CHATS)[number]['kind']

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const LINKS = [
  { to: 'desk' as const, label: 'Open in Shipbell', url: 'https://shipbell.example/events/evt_1' },
  { to: 'platform' as const, label: 'Open at the platform', url: 'https://p.example/s/SHP(1)' },
]

function bodyOf(kind: Chat, events: readonly ShipbellEvent[], linked = false): string {
  const url = 'https://chat.example/hooks/0123456789'
  const channel = { kind, url, hidden: [], ...PEOPLES_CHANNEL, timeoutMs: 15_000, concurrency: 1 } as const
  const [first, ...rest] = events.flatMap((event) => [...sampleBatch({ event })])
  if (first === undefined) throw new Error('no event')
  const { body } = previewBatch(channel, [first, ...rest], linked ? { links: () => LINKS } : {})
  return JSON.stringify(body)
}

/** Rocket.Chat takes what is behind a dot for a host, its backslashes too. */
const BEHIND_DOTS = { name: 'a.A~ b.c* (x.y~z)', container: '*d.e_ #f.g#', order: '1.`2`', port: '~.]~' }

/** An ETA that moved, of a shipment with these words in it. */
function etaOf(words: Partial<Record<'name' | 'container' | 'order' | 'port', string>>): ShipbellEvent {
  const sample = sampleEvent('shipment.eta_changed')
  const { name = 'Toys', container = 'MSCU1', order = 'PO-1', port = 'CNSHA' } = words
  return {
    ...sample,
    object: { ...sample.object, route: { origin_port_unlocode: port, destination_port_unlocode: port } },
    shipment: sample.shipment && {
      ...sample.shipment,
      name,
      container_numbers: [container],
      purchase_order_references: [order],
      master_bill: order,
    },
  }
}

const UTC = wordingOf({ language: 'en', timeZone: 'UTC' })

describe('a message of Google Chat', () => {
  it('has nothing but what the discovery document of the API describes', () => {
    expectTypeOf<Mutable<GoogleChatMessage>>().toExtend<PublishedMessage>()
    expectTypeOf<Unknown<GoogleChatMessage, PublishedMessage>>().toEqualTypeOf<never>()
  })
})

describe.each(CHATS)('a message in $kind', ({ kind, shown }) => {
  it.each(TYPES)('of %s is taken, says its sentence and its facts', (type) => {
    const event = sampleEvent(type)
    const { sentence, facts } = messageOf(fullPayload(event), { wording: UTC })
    const texts = shown(bodyOf(kind, [event]))
    expect(texts[0]).toBe(sentence)
    for (const fact of facts) expect(texts).toContain(factLine(fact))
    expect(texts.at(-1)).toContain(`${moment(formatInstant(event.timestamp))} · ${event.id}`)
  })

  it('leads to where there is more', () => {
    const body = bodyOf(kind, [sampleEvent('shipment.eta_changed')], true)
    expect(shown(body)[0]).toContain('Arrival (ETA)')
    expect(body).toContain('https://shipbell.example/events/evt_1')
    expect(body).toMatch(/https:\/\/p\.example\/s\/SHP(?:\(1\)|%281%29)/)
  })

  it.each([
    ['@all @channel @here and <!here> <users/all> <at>all</at>'],
    ['ops@example.com'],
    ['a@b@all x@y.example@here 1@.all me@-all'],
    ['*bold* _it_ **more** ~gone~ ~~gone~~ `code` ``` ||spoiler||'],
    ['[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example|click>'],
    ['https://evil.example/path'],
    ['# head #general ~town-square :boom: :+1: R&D &lt;b&gt; &copy;'],
    ['1. first'],
    ['2) second'],
    ['- item'],
    ['+ item'],
    ['> quoted'],
    ['--- rule'],
    ['{{DATE(2017-02-14T06:00:00Z, SHORT)}}'],
    ['back\\slash \\* C:\\.x \\_'],
    ["SHP_1_2 PO_77 10:30:20 (SHP-1) 12345 O'Neil & Sons <x>"],
    ['one\r\ntwo\u2028three\tfour\0'],
    ['👩‍🔧 می‌خواهم ❤️'],
  ])('%j is text that is read as it is', (name) => {
    const line = name.replaceAll(/[\p{Cc}\p{Zl}]+/gu, ' ').trim()
    const texts = shown(bodyOf(kind, [etaOf({ name, container: name, order: name, port: name })]))
    expect(texts[0]).toContain(`Arrival (ETA) of ${line} (SHP-1) moved 3 days later`)
    expect(texts).toContain(`Containers: ${line}`)
    expect(texts).toContain(`Route: ${line} → ${line}`)
  })

  it('does not change what people copy: references, times, addresses of mail', () => {
    const name = 'SHP_1_2 PO-77/3 10:30 ops@example.com 40% #3 (A & B) R2.D2'
    const body = bodyOf(kind, [etaOf({ container: name })])
    const kept =
      kind === 'google_chat' ? name.replace('&', '&amp;') : name.replace('#', kind === 'teams' ? '#' : '\\\\#')
    expect(body.replaceAll('\u200b', '')).toContain(kept)
  })

  it('that are all long together leaves out what does not fit, never what moved', () => {
    const long = '語'.repeat(1_000)
    const eta = etaOf({ name: long, container: long, order: long, port: long })
    const texts = shown(bodyOf(kind, [eta]))
    for (const label of ['From', 'To', 'Moved']) expect(texts.some((text) => text.startsWith(`${label}: `))).toBe(true)
    expect(texts.at(-1)).toContain(eta.id)
  })

  it('of many events counts them, and tells as many as fit, the worst first', () => {
    const worst = movedOf('worst', 'shipment.problem_reported')
    const texts = shown(
      bodyOf(kind, [...Array.from({ length: 999 }, (_, index) => movedOf(`S${index}`, 'shipment.eta_changed')), worst]),
    )
    expect(texts[0]).toBe('1000 shipment events of acme')
    expect(texts.slice(0, 3).join()).toMatch(/1 critical.*999 warnings/s)
    expect(texts[3]).toContain(messageOf(fullPayload(worst)).sentence)
    const more = Number(/(\d+) more shipments and records/.exec(texts.at(-1) ?? '')?.[1])
    const told = texts.filter((text) => text.includes('Arrival (ETA) of')).length
    expect(told).toBeGreaterThan(10)
    expect(told + 1 + more).toBe(1_000)
  })

  it('of any kind is taken, of every type, alone and among many', () => {
    const piece = oneof(
      string({ unit: ANY_CHARACTER, maxLength: 300 }),
      string({ unit: 'grapheme', maxLength: 300 }),
      string({
        unit: constantFrom(
          '@',
          '*',
          '_',
          '`',
          '[',
          ']',
          '(',
          ')',
          '<',
          '>',
          '&',
          '~',
          '|',
          '#',
          ':',
          '/',
          'a',
          '1',
          '.',
          ' ',
          '\\',
          '-',
          '!',
        ),
        maxLength: 40,
      }),
      constantFrom('@all', '&'.repeat(3_000), '語'.repeat(100_000), '\u202e', '```', '\r\n', '', '__proto__'),
    )
    const words = record({ name: piece, container: piece, order: piece, port: piece })
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
        shown(bodyOf(kind, [event]))
        shown(
          bodyOf(
            kind,
            Array.from({ length: 8 }, () => event),
          ),
        )
      }),
      { ...runs(7), examples: [[BEHIND_DOTS, 'shipment.created', '']] },
    )
  })
})

/** An event of a shipment of its own. */
function movedOf(id: string, type: 'shipment.problem_reported' | 'shipment.eta_changed'): ShipbellEvent {
  const sample = sampleEvent(type)
  return { ...sample, id: `evt_${id}`, subject: { ...sample.subject, id } }
}
