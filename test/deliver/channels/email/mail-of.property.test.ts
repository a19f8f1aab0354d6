import * as fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { describe, expect, it, test } from 'vitest'
import { mailOf, type Mail, type MailOptions, mailOptions } from '../../../../src/deliver/channels/email/mail-of.ts'
import { messageRenderer } from '../../../../src/deliver/channels/message-renderer.ts'
import type { Batch } from '../../../../src/deliver/batches.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { messageOf, sentenceOf } from '../../../../src/message/message.ts'
import { wordingOf } from '../../../../src/message/wording/wording.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import { standardPayload } from '../../../../src/model/payload.ts'
import { claimed, emailChannel } from './mailing.ts'
import { readMail } from './read-mail.ts'
import { ANY_CHARACTER } from '../../../support/any-character.ts'
import { runs } from '../../../support/runs.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const AT_ONCE: MailOptions = { digest: null, from: 'shipbell@example.com', render: messageRenderer(emailChannel(), {}) }
const DAILY: MailOptions = { ...AT_ONCE, digest: { atMinutes: 480, timeZone: 'Europe/Paris' } }
/** Controls but line breaks, and what turns the direction. */
const DECEIVING = /(?!\n)[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u
const T = Date.UTC(2026, 10, 20, 14)

function about(type: EventType, id: string, more: Partial<ShipbellEvent> = {}): ShipbellEvent {
  const event = sampleEvent(type)
  return { ...event, id: `evt_${type}_${id}`, subject: { ...event.subject, id }, timestamp: T, ...more }
}

function batchOf(events: readonly ShipbellEvent[]): Batch {
  const [first, ...rest] = events.map((event) => claimed(event))
  if (first === undefined) throw new Error('a parcel holds something')
  return [first, ...rest]
}

function emitted(events: readonly ShipbellEvent[], options = AT_ONCE): Mail {
  return mailOf(batchOf(events), options)
}

/** The mail as it goes over the wire. */
async function wire(mail: Mail): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const { message } = await transport.sendMail(mailOptions(mail, emailChannel(), T))
  return Buffer.isBuffer(message) ? message.toString() : ''
}

/** What the HTML says, without its tags. */
function said(html: string): string {
  return html
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, '?')
    .replaceAll(/\s+/g, ' ')
}

const dressed = (type: EventType, text: string): ShipbellEvent => {
  const event = about(type, text)
  const shipment = { ...event.shipment, name: text, container_numbers: [text], purchase_order_references: [text] }
  const object = { ...event.object, name: text, number: text, reference: text, status: text }
  return {
    ...event,
    object,
    shipment: event.shipment === null ? null : { ...event.shipment, ...shipment },
    changes: event.changes?.map((change) => ({ ...change, from: text, to: [text] })) ?? null,
  }
}

const tags = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? []

describe.each(TYPES)('%s', (type) => {
  test('is a mail whose subject, text and HTML say it', () => {
    const event = about(type, 'X-1')
    const sentence = sentenceOf(standardPayload(event), wordingOf({ language: 'en', timeZone: 'UTC' }))
    const { subject, text, html } = emitted([event])
    const { title } = messageOf(standardPayload(event), { wording: wordingOf({ language: 'en', timeZone: 'UTC' }) })
    expect(title.replaceAll('=?', '= ?').startsWith(subject.replace(/…$/, ''))).toBe(true)
    expect(text).toContain(sentence)
    expect(said(html)).toContain(sentence.replaceAll(/[&<>"']/g, '?'))
    expect(`${subject}${text}${said(html)}`).not.toMatch(/undefined|\[object|NaN|\{\{|\bnull\b/)
  })
})

describe('the HTML', () => {
  const { html } = emitted(
    TYPES.map((type, index) => about(type, `X-${index}`)),
    DAILY,
  )

  it('loads nothing, runs nothing and links nowhere', () => {
    expect(html).not.toMatch(
      /<(?:script|img|link|iframe|object|form|a)\b|\bsrc=|\bhref=|url\(|@import|\bon\w+=|https?:/i,
    )
  })

  it('shows no text below 16 px', () => {
    const sizes = [...html.matchAll(/(?:font-size:|font:) ?(\d+)px/g)].map(([, size]) => Number(size))
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
  })

  it('knows light and dark', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })

  it('keeps its widths, its font and the colours of tones where <style> is dropped', () => {
    const bare = html.replace(/<style>[^]*<\/style>/, '')
    expect(bare).toContain('max-width:600px')
    const cards = [...bare.matchAll(/<td class="card (\w+)"[^>]*Arial[^>]*border-left:4px solid (#\w{6})/g)]
    const edges = new Set(cards.map(([, tone, colour]) => `${tone} ${colour}`))
    expect([cards.length, edges.size]).toEqual([bare.match(/class="card /g)?.length, 4])
  })
})

describe('a digest', () => {
  const invoice = (id: string, type: 'invoice.due_soon' | 'invoice.overdue', due: string): ShipbellEvent =>
    about(type, id, { extras: { ...sampleEvent(type).extras, due_date: due } })
  const EVENTS = [
    about('document.added', 'DOC'),
    about('shipment.etd_changed', 'SHP-1'),
    invoice('INV-LATER', 'invoice.due_soon', '2026-12-09'),
    invoice('INV-SOON', 'invoice.due_soon', '2026-11-24'),
    about('shipment.problem_reported', 'SHP-2'),
    invoice('INV-OVERDUE', 'invoice.overdue', '2026-11-18'),
    about('shipment.eta_changed', 'SHP-2', { timestamp: T + 60_000 }),
  ]

  it('counts in its subject line, and says of which day it is', () => {
    expect(emitted(EVENTS, DAILY).subject).toBe('acme, Sat 21 Nov: 7 events, 1 critical, 1 warning')
  })

  it('no longer tells as due what was settled after', () => {
    const { extras } = sampleEvent('invoice.status_changed')
    const paid = about('invoice.status_changed', 'INV-1', { extras: { ...extras, to: 'paid' } })
    const { subject, text } = emitted([about('invoice.due', 'INV-1'), paid], DAILY)
    expect(`${subject}${text}`).not.toContain('is due')
  })

  it('of one event is a digest all the same', () => {
    expect(emitted([about('document.added', 'DOC')], DAILY).subject).toBe('acme, Sat 21 Nov: 1 event')
  })

  it('names the accounts where they are several', () => {
    const { subject, text } = emitted(
      [about('document.added', 'A'), about('document.added', 'B', { account: 'beta' })],
      DAILY,
    )
    expect(subject).toBe('Sat 21 Nov: 2 events')
    expect(text).toContain('2 events\n')
  })

  it('counts what it does not show, and stays below what readers cut', () => {
    const events = Array.from({ length: 3_000 }, (_, index) =>
      about('document.added', `DOC-${index}`, { shipment: null, object: null }),
    )
    const { subject, text, html } = emitted([...events, about('invoice.overdue', 'INV-LAST')], DAILY)
    expect(subject).toBe('acme, Sat 21 Nov: 3001 events, 1 critical')
    expect(text).toContain('INV-LAST')
    const shown = text.match(/^- /gm)?.length ?? 0
    expect(text).toContain(`And ${3_001 - shown} more shipments and records (${3_001 - shown} for information)`)
    expect(html.length).toBeLessThan(57_000)
  })

  it('shows the first of what one subject did, and counts the rest', () => {
    const events = Array.from({ length: 500 }, (_, index) =>
      about('shipment.container_added', 'SHP-1', {
        id: `evt_${index}`,
        extras: { container: { container_number: `C${index}` } },
      }),
    )
    expect(emitted(events, DAILY).text).toMatch(/Container C2 was added\. And 497 more changes\./)
  })

  it('has a Message-ID of its subscription, its day and what it tells', () => {
    const { messageId } = emitted(EVENTS, DAILY)
    expect(messageId).toMatch(/^<digest\.2026-11-21\.[0-9a-f]{24}@example\.com>$/)
    expect(emitted(EVENTS, DAILY).messageId).toBe(messageId)
    expect(emitted(EVENTS.slice(1), DAILY).messageId).not.toBe(messageId)
    const [first, ...rest] = batchOf(EVENTS)
    expect(mailOf([{ ...first, subscription: 'ops' }, ...rest], DAILY).messageId).not.toBe(messageId)
  })

  it('does not swallow a test', () => {
    const { subject, messageId } = emitted([about('shipbell.test', 'finance', { cause: 'test' })], DAILY)
    expect(subject).toMatch(/^A test of/)
    expect(messageId).toMatch(/^<evt_/)
  })
})

describe('hostile records', () => {
  const NASTY = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '\r\nBcc: victim@example.com',
    '\r\n\r\n<b>body</b>',
    '\n.\r\nMAIL FROM:<x@example.com>',
    '=?utf-8?Q?=0D=0ABcc:_victim@example.com?=',
    '\u202Egpj.exe\u2066\u200F',
    '\u2028\u2029\u0085\u0000\u001B[31m',
    '{{ 7 | times: 6 }}{% raw %}',
    '\uD800 half',
    '&lt;&amp;',
    '--nm-boundary',
    'x'.repeat(100_000),
  ]
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: ANY_CHARACTER, maxLength: 20 })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => `a${parts.join('')}`)

  it.each([
    ['a mail of one', AT_ONCE, 1],
    ['a burst', AT_ONCE, 2],
    ['a digest', DAILY, 2],
  ])('are inert in %s', async (_, options, amount) => {
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom(...TYPES), async (text, type) => {
        const events = (what: string): readonly ShipbellEvent[] =>
          Array.from({ length: amount }, (__, index) => ({ ...dressed(type, what), id: `evt_${index}` }))
        const mail = emitted(events(text), options)
        expect(tags(mail.html)).toEqual(tags(emitted(events('harmless'), options).html))
        const raw = await wire(mail)
        const { headers } = readMail({ raw })
        const isDigest = options === DAILY && type !== 'shipbell.test'
        expect([...headers.keys()].sort()).toEqual([
          'auto-submitted',
          'content-type',
          'date',
          'from',
          ...(isDigest ? [] : ['in-reply-to']),
          'list-id',
          'message-id',
          'mime-version',
          ...(isDigest ? [] : ['references']),
          'subject',
          'to',
          'x-auto-response-suppress',
        ])
        for (const values of headers.values()) expect(values).toHaveLength(1)
        expect(headers.get('to')).toEqual(['ap@example.com'])
        const subject = headers.get('subject')?.[0] ?? ''
        expect(subject).toBe(mail.subject)
        for (const shown of [subject, mail.text, mail.html]) {
          expect(shown).not.toMatch(DECEIVING)
        }
        expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
        expect(Math.max(mail.subject.length, mail.text.length / 10, mail.html.length / 100)).toBeLessThan(1_000)
      }),
      runs(10),
    )
  })
})
