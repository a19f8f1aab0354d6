import { describe, expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { compileBody } from '../../../src/message/template/body-template.ts'
import { compileTemplate } from '../../../src/message/template/operator-template.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import type { MessageTemplate } from '../../../src/model/message-template.ts'
import { bodyOf, type RequestBody } from '../../../src/model/request-body.ts'
import { bodiesAlike, messagesAlike } from '../../../src/operate/diff/outlines-alike.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from '../../deliver/channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'

const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const ZONE = 'America/New_York'
const CONTEXT = { links: () => [], zoneOf: () => ZONE }
const EVENTS = EVENT_CATALOGUE.map(({ type }) => sampleEvent(type))
const READER = { language: 'en', timeZone: ZONE } as const

const MESSAGES = [
  '{{ sentence }}\n{% for fact in facts %}{{ fact.label }}: {{ fact.value }}\n{% endfor %}\nhttps://tms.example/{{ subject.id | url_encode }}',
  '{{ sentence }}\n{% for fact in facts %}{{ fact.label }}: {{ fact.value }}\n{% endfor %}\nhttps://old.example/{{ subject.id | url_encode }}',
  '{{ sentence }}\n{% for fact in facts %}{{ fact.value }}\n{% endfor %}\n  https://tms.example/{{ subject.id | url_encode }}  \n\n',
  '{{ sentence }}\n{%- if data.date_change %} It moved. {% endif %}\nhttps://tms.example/{{ subject.id | url_encode }}',
  '{{ sentence }}\n{% if data.object.note %}Note: {{ data.object.note }}{% endif %}\nhttps://tms.example/{{ subject.id | url_encode }}',
  '{% assign id = subject.id %}{{ sentence }}\n{{ id }}',
  '{{ data.date_change.to | moment }}',
  '{% assign name = data.shipment.name %}{{ sentence }}\nhttps://tms.example/{{ name | url_encode }}',
  '{% assign name = data.shipment.id %}{{ sentence }}\nhttps://tms.example/{{ name | url_encode }}',
  '{% capture said %}{{ sentence }}{% endcapture %}{{ said | upcase }}',
  '{% if data.date_change %}{{ sentence }}{% endif %}',
  '{{ sentence }}\n{% for fact in facts %}{{ fact.label }}: {{ fact.value }}\n{% endfor %}',
  '{{ sentence }}',
  '{{ sentence }} \u200b',
  '{{ data.object.loads[0].count | plus: 1 }}',
  null,
  '{{ data.changes | sort: "path" | first | json }}\nhttps://tms.example/{{ subject.id | url_encode }}',
]
const BODIES = [
  '{ "a": {{ text | json }}, "b": {{ subject.id | json }} }',
  '{ "a": {{ text | json }}, "b": {{ subject.version | json }} }',
  '{ "a": {{ text | json }}, {% if data.object.note %}"n": {{ data.object.note | json }},{% endif %} "b": {{ subject.id | json }} }',
  '{ "a": "{{ title }}", "b": {{ subject.id | json }} }',
  '{ "a": "{{ title }}", "b": {{ data.from | json }} }',
  '{%- assign id = subject.id -%}\n{ "a": {{ text | json }}, "b": {{ id | json }} }',
  '{%- assign id = subject.version -%}\n{ "a": {{ text | json }}, "b": {{ id | json }} }',
  '{ "a": "{{ text | json }}", "b": {{ subject.id | json }} }',
  '{ "a": {{ title | truncate: 20 | json }}{% for change in data.changes %}, "{{ change.path }}": {{ change.to | json }}{% endfor %} }',
  '{ "a": {{ text | json }}, "b": }',
  '{ "a": {{ text | json }}, "c": }',
]

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((old, nth) => all.slice(nth + 1).map((other) => [old, other] as const))
}

function memo<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

function templateOf(source: string): MessageTemplate {
  const compiled = compileTemplate('a.liquid', source)
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  return compiled.template
}

describe.each(['slack', 'google_chat', 'mattermost', 'email'] as const)('messages to %s', (kind) => {
  const channelOf = memo((source: string | null) => {
    const templates = new Map(source === null ? [] : EVENTS.map(({ type }) => [type, templateOf(source)]))
    return kind === 'email' ? emailChannel({ templates }) : { ...PEOPLES_CHANNEL, ...POSTED, kind, templates }
  })
  const sent = memo((source: string | null) =>
    EVENTS.map((event) => JSON.stringify(previewBatch(channelOf(source), [claimed(event)], CONTEXT).body)),
  )

  it.each(pairsOf(MESSAGES))('are told apart by the outlines of %j and %j', (old, other) => {
    const messages = messagesAlike(channelOf(old), channelOf(other))
    for (const [nth, event] of EVENTS.entries()) {
      const said = messages.of(event.type)?.isAlike(() => event, READER) ?? null
      if (said !== null) expect([event.type, said]).toEqual([event.type, sent(old)[nth] === sent(other)[nth]])
    }
  })

  it('are alike where another template has an empty line', () => {
    const [old = ''] = MESSAGES
    const messages = messagesAlike(channelOf(old), channelOf(old?.replace('}}\n{%', '}}\n \n{%') ?? ''))
    expect(EVENTS.map((event) => messages.of(event.type)?.isAlike(() => event, READER))).toEqual(EVENTS.map(() => true))
  })

  it.each([
    ['an address', MESSAGES[0], MESSAGES[1]],
    ['a template that is gained', null, MESSAGES[0]],
    ['a template that is lost', MESSAGES[1], null],
    ['a variable of its own', MESSAGES[7], MESSAGES[8]],
  ])('are told apart without their records by %s', (_, old = null, other = null) => {
    const messages = messagesAlike(channelOf(old), channelOf(other))
    expect(messages.needsRecords).toBe(false)
    const ofShipments = EVENTS.filter(({ shipment }) => shipment !== null)
    expect(ofShipments.map((event) => messages.of(event.type)?.isAlike(() => event, READER))).toEqual(
      ofShipments.map(() => false),
    )
  })
})

function bodyWith(source: string, isJson: boolean): RequestBody {
  const compiled = compileBody({ file: null, isJson, source })
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  return { template: compiled.template, contentType: 'a/b', method: 'POST', language: 'en', timeZone: null }
}

describe.each([true, false])('bodies (JSON: %s)', (isJson) => {
  it.each(pairsOf(BODIES))('are told apart by the outlines of %j and %j', (old, other) => {
    const [before, after] = [bodyWith(old, isJson), bodyWith(other, isJson)]
    const bodies = bodiesAlike(before, after)
    for (const event of EVENTS) {
      const said = bodies?.isAlike(() => event, READER) ?? null
      const [one, another] = [before, after].map((body) => bodyOf(body, { event, subscription: '' }, ZONE))
      if (said !== null)
        expect([event.type, said]).toEqual([event.type, JSON.stringify(one) === JSON.stringify(another)])
    }
  })

  it.each([
    ['a field', BODIES[0], BODIES[1]],
    ['a variable of its own', BODIES[5], BODIES[6]],
  ])('are told apart without their records by %s', (_, old = '', other = '') => {
    const bodies = bodiesAlike(bodyWith(old, isJson), bodyWith(other, isJson))
    expect(bodies?.needsRecords).toBe(false)
    expect(EVENTS.map((event) => bodies?.isAlike(() => event, READER))).not.toContain(null)
  })
})

it('halves of characters are left to whole messages', () => {
  const event = { ...sampleEvent('shipment.eta_changed' satisfies EventType), extras: { half: '\ud800' } }
  const [old, other] = MESSAGES.map((source) => ({
    ...PEOPLES_CHANNEL,
    ...POSTED,
    kind: 'slack' as const,
    templates: new Map([[event.type, templateOf(source ?? '')]]),
  }))
  expect(
    old &&
      other &&
      messagesAlike(old, other)
        .of(event.type)
        ?.isAlike(() => event, READER),
  ).toBe(null)
})
