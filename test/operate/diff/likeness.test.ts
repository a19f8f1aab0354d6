import { expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'

import { compileTemplate } from '../../../src/message/template/operator-template.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import type { LoggedEvent } from '../../../src/model/event.ts'
import { withoutOmitted } from '../../../src/model/omit.ts'
import { payloadBytes } from '../../../src/model/payload.ts'
import type { ChannelSettings, EmailChannel, WebhookChannel } from '../../../src/model/subscription.ts'
import { DiffMemory } from '../../../src/operate/diff/diff-memory.ts'
import { likenessOf } from '../../../src/operate/diff/told-alike.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from '../../deliver/channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'
import { webhookChannel, type WebhookAbout } from '../../support/webhook-channel.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const EVENTS = TYPES.map(sampleOf)
const CONTEXT = { links: () => [], zoneOf: () => 'UTC' }
const SLACK = {
  ...PEOPLES_CHANNEL,
  kind: 'slack',
  url: 'https://hooks.example/x',
  hidden: [],
  timeoutMs: 1_000,
  concurrency: 1,
} as const
const TOLD = { lastTold: null, failed: false }

function sampleOf(type: EventType): LoggedEvent {
  return { ...sampleEvent(type), cause: 'change', expiredAt: null }
}

/** Slack, with one template for all types. */
function slackOf(source: string) {
  const compiled = compileTemplate('a.liquid', source)
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  const { template } = compiled
  return { ...SLACK, templates: new Map(TYPES.map((type) => [type, template])) }
}

function sentTo(channel: ChannelSettings, event: LoggedEvent): string {
  return JSON.stringify(previewBatch(channel, [claimed(withoutOmitted(event, channel.omit))], CONTEXT).body)
}

/** What is said of each event, first without records where these are not asked for, then with them. */
function verdicts(old: ChannelSettings, other: ChannelSettings, events: readonly LoggedEvent[]) {
  const [one, another] = [old, other].map((channel) => ({ channel, target: '', context: CONTEXT }))
  if (one === undefined || another === undefined) return []
  const { isAlike, needsRecords } = likenessOf(one, another, new DiffMemory())
  return events.map((event) => {
    const told = { rangAt: event.timestamp, old: TOLD, new: TOLD }
    const first =
      needsRecords === 'none'
        ? isAlike({ ...told, event: { ...event, object: null, before: null }, hasRecord: false, hasBefore: false })
        : isAlike({ ...told, event, hasRecord: true, hasBefore: true })
    return first ?? isAlike({ ...told, event, hasRecord: true, hasBefore: true })
  })
}

/** Each event is found alike where the same is sent of it. */
function expectTruth<C extends ChannelSettings>(
  [old, other]: readonly [C, C],
  events: readonly LoggedEvent[],
  sent: (channel: C, event: LoggedEvent) => string,
): void {
  expect(verdicts(old, other, events)).toEqual(events.map((event) => sent(old, event) === sent(other, event)))
}

function posted({ format, omit, payload, source }: WebhookChannel, event: LoggedEvent): string {
  const shape = {
    format,
    payload: payload === 'thin' ? 'thin' : 'full',
    ...(source !== undefined && { source }),
  } as const
  return payloadBytes(withoutOmitted(event, omit), shape).bytes.toString()
}

it.each<[WebhookAbout, WebhookAbout]>([
  [{}, { payload: 'thin' }],
  [
    { format: 'cloudevents', source: '/a' },
    { format: 'cloudevents', source: '/b', payload: 'thin' },
  ],
  [{ payload: 'thin' }, { payload: 'thin', omit: ['/name'] }],
])('payloads of %j and of %j are alike where they are the same text', (old, other) => {
  expectTruth([webhookChannel(old), webhookChannel(other)], EVENTS, posted)
})

const LATE = '{% if data.late_by %}'
const NULLED = EVENTS.map((event) => ({ ...event, extras: { ...event.extras, seen: null } }))

it.each([
  [`${LATE}{% assign sentence = "late" %}{% endif %}x {{ sentence }}`, 'sentence }}', 'sentence | truncate: 12 }}'],
  [`${LATE}{% assign data = "late" %}{% endif %}x {{ data.object.name }}`, 'name }}', 'name | upcase }}'],
  [`${LATE}{% assign it = "late" %}{% endif %}x {{ it }}`, 'it }}', 'it | upcase }}'],
  ['{% assign d = "data" %}x {{ [d].object.name }}', 'name }}', 'name | upcase }}'],
  ['x {{ data.seen | json }}', ' | json', ''],
  ['x {{ data.seen | days }}', '{{ data.seen | days }}', 'NaN days'],
])('%s is told alike where another ending makes the same message', (source, ending, another) => {
  expectTruth([slackOf(source), slackOf(source.replace(ending, another))], [...EVENTS, ...NULLED], sentTo)
})

it.each([
  `${LATE}{% assign data = "late" %}{% endif %}x {{ data.object.name }}`,
  '{% assign d = "data" %}x {{ [d].object.name }}',
])('%s is told alike where what is left out is not shown', (source) => {
  expectTruth([slackOf(source), { ...slackOf(source), omit: ['/name'] }], EVENTS, sentTo)
})

it.each(['/route', '/due_date', '/lines', '/note'])(
  'messages without %s are told alike where they are the same',
  (omitted) => {
    const channel = { ...SLACK, templates: new Map() }
    expectTruth([channel, { ...channel, omit: [omitted] }], EVENTS, sentTo)
  },
)

it.each(['due {{ data.object.due_date | date -}}', '{% assign d = data.object.due_date | date %}due {{ d }}'])(
  '%s is told by the clock of the date that it makes',
  (source) => {
    const channel = slackOf(source)
    // Both clocks say the same in winter.
    const winter = { timestamp: Date.parse('2026-01-15T10:00:00Z'), extras: {}, changes: null, shipment: null }
    const event = { ...sampleOf('invoice.created'), ...winter, object: { due_date: '2026-07-01' } }
    const [old, other] = [
      { ...channel, timeZone: 'Europe/Berlin' },
      { ...channel, timeZone: 'Africa/Algiers' },
    ] as const
    expect(verdicts(old, other, [event])).toEqual([false])
  },
)

function digestOf(source: string | null, about: Partial<EmailChannel> = {}): EmailChannel {
  const templates = source === null ? new Map() : slackOf(source).templates
  return emailChannel({ templates, digest: { atMinutes: 480, timeZone: 'UTC' }, ...about })
}

const SENTENCE = '{{ sentence }}'
const WITH_FACTS = '{{ sentence }}\n{% for fact in facts %}{{ fact.value }}\n{% endfor %}'

it.each<[string, EmailChannel, EmailChannel]>([
  ['another line', digestOf(SENTENCE), digestOf(`${SENTENCE}\nPlease look.`)],
  ['an empty line', digestOf(`${SENTENCE}\nPlease look.`), digestOf(`${SENTENCE}\n \nPlease look.`)],
  ['a break for a blank', digestOf(`${SENTENCE} Look.`), digestOf(`${SENTENCE}\nLook.`)],
  ['a line that is cut off', digestOf(`${'x'.repeat(400)}a`), digestOf(`${'x'.repeat(400)}b`)],
  ['lines of which some are cut off', digestOf(`${WITH_FACTS}a`), digestOf(`${WITH_FACTS}b`)],
  ['a template that is gained', digestOf(null), digestOf(WITH_FACTS)],
  ['a template that says what ours do', digestOf(null), digestOf(SENTENCE)],
  ['what is left out', digestOf(null), digestOf(null, { omit: ['/name', '/lines'] })],
])('a digest tells %s where its mail shows it', { tags: 'long' }, (_, old, other) => {
  expectTruth([old, other], EVENTS, sentTo)
})

it('a digest of a week is called otherwise than one of a day', () => {
  const weekly = digestOf(null, { digest: { atMinutes: 480, timeZone: 'UTC', every: 'week' } })
  expect(new Set(verdicts(digestOf(null), weekly, EVENTS))).toEqual(new Set([false]))
})
