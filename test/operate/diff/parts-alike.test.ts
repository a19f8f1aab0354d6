import { describe, expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { compileBody } from '../../../src/message/template/body-template.ts'
import { compileTemplate } from '../../../src/message/template/operator-template.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import type { MessageTemplate } from '../../../src/model/message-template.ts'
import { bodyOf, type RequestBody } from '../../../src/model/request-body.ts'
import { bodyPartsAlike, messagePartsAlike } from '../../../src/operate/diff/parts-alike.ts'
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
  '{{ data.changes | sort: "path" | first | json }}\nhttps://tms.example/{{ subject.id | url_encode }}',
]
const BODIES = [
  '{ "a": {{ text | json }}, "b": {{ subject.id | json }} }',
  '{ "a": {{ text | json }}, "b": {{ subject.version | json }} }',
  '{ "a": {{ text | json }}, {% if data.object.note %}"n": {{ data.object.note | json }},{% endif %} "b": {{ subject.id | json }} }',
  '{ "a": "{{ title }}", "b": {{ subject.id | json }} }',
  '{ "a": "{{ title }}", "b": {{ data.from | json }} }',
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
  const channelOf = memo((source: string) => {
    const templates = new Map(EVENTS.map(({ type }) => [type, templateOf(source)]))
    return kind === 'email' ? emailChannel({ templates }) : { ...PEOPLES_CHANNEL, ...POSTED, kind, templates }
  })
  const sent = memo((source: string) =>
    EVENTS.map((event) => JSON.stringify(previewBatch(channelOf(source), [claimed(event)], CONTEXT).body)),
  )

  it.each(MESSAGES.slice(1).map((other) => [MESSAGES[0] ?? '', other] as const))(
    'are told apart by the part in which %j and %j differ',
    (old, other) => {
      const parts = messagePartsAlike(channelOf(old), channelOf(other))
      for (const [nth, event] of EVENTS.entries()) {
        const said = parts.isAlike(event, READER)
        if (said !== null) expect([event.type, said]).toEqual([event.type, sent(old)[nth] === sent(other)[nth]])
      }
    },
  )

  it('are told apart without their records where only an address differs', () => {
    const [old = '', other = ''] = MESSAGES
    const parts = messagePartsAlike(channelOf(old), channelOf(other))
    expect(parts.needsRecords).toBe(false)
    expect(EVENTS.map((event) => parts.isAlike(event, READER))).toEqual(EVENTS.map(() => false))
  })
})

function bodyWith(source: string, isJson: boolean): RequestBody {
  const compiled = compileBody({ file: null, isJson, source })
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  return { template: compiled.template, contentType: 'a/b', method: 'POST', language: 'en', timeZone: null }
}

describe.each([true, false])('bodies (JSON: %s)', (isJson) => {
  it.each(pairsOf(BODIES))('are told apart by the part in which %j and %j differ', (old, other) => {
    const [before, after] = [bodyWith(old, isJson), bodyWith(other, isJson)]
    const parts = bodyPartsAlike(before, after)
    for (const event of EVENTS) {
      const said = parts?.isAlike(event, ZONE) ?? null
      const [one, another] = [before, after].map((body) => bodyOf(body, { event, subscription: '' }, ZONE))
      if (said !== null)
        expect([event.type, said]).toEqual([event.type, JSON.stringify(one) === JSON.stringify(another)])
    }
  })

  it('are told apart without their records where only a field differs', () => {
    const [old = '', other = ''] = BODIES
    const parts = bodyPartsAlike(bodyWith(old, isJson), bodyWith(other, isJson))
    expect(parts?.needsRecords).toBe(false)
    expect(EVENTS.map((event) => parts?.isAlike(event, ZONE))).not.toContain(null)
  })
})

it('halves of characters are left to whole messages', () => {
  const event = { ...sampleEvent('shipment.eta_changed' satisfies EventType), extras: { half: '\ud800' } }
  const [old, other] = MESSAGES.map((source) => ({
    ...PEOPLES_CHANNEL,
    ...POSTED,
    kind: 'slack' as const,
    templates: new Map([[event.type, templateOf(source)]]),
  }))
  expect(old && other && messagePartsAlike(old, other).isAlike(event, READER)).toBe(null)
})
