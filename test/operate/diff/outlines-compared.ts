import { describe, expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { compileBody } from '../../../src/message/template/body-template.ts'
import { compileTemplate } from '../../../src/message/template/operator-template.ts'
import { EVENT_CATALOGUE } from '../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import type { MessageTemplate } from '../../../src/model/message-template.ts'
import { bodyOf, type RequestBody } from '../../../src/model/request-body.ts'
import { DiffMemory } from '../../../src/operate/diff/diff-memory.ts'
import { bodiesAlike, messagesAlike } from '../../../src/operate/diff/outlines-alike.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from '../../deliver/channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'

export const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const ZONE = 'America/New_York'
const CONTEXT = { links: () => [], zoneOf: () => ZONE }
export const EVENTS = EVENT_CATALOGUE.map(({ type }) => sampleEvent(type))
export const READER = { language: 'en', timeZone: ZONE } as const

export const MESSAGES = [
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
export const BODIES = [
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

export const KINDS = ['slack', 'google_chat', 'mattermost', 'email', 'digest'] as const

/** All judges have one memory, as in a run. */
export const MEMORY = new DiffMemory()

const DIGEST = { atMinutes: 480, timeZone: 'UTC' } as const

type Kind = (typeof KINDS)[number]

/** Which two of a list are compared. */
export type Pairing = <T>(all: readonly T[]) => readonly (readonly [T, T])[]

export const everyPair: Pairing = (all) =>
  all.flatMap((old, nth) => all.slice(nth + 1).map((other) => [old, other] as const))

/** Each with the next. */
export const neighbours: Pairing = (all) =>
  all.slice(1).flatMap((other, nth) => all.slice(nth, nth + 1).map((old) => [old, other] as const))

function memo<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

export function templateOf(source: string): MessageTemplate {
  const compiled = compileTemplate('a.liquid', source)
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  return compiled.template
}

/** Makes the channels of a kind, one of each template. */
export const channelsOf = memo((kind: Kind) =>
  memo((source: string | null) => {
    const template = source === null ? null : templateOf(source)
    const templates = new Map(template === null ? [] : EVENTS.map(({ type }) => [type, template]))
    if (kind === 'digest') return emailChannel({ templates, digest: DIGEST })
    return kind === 'email' ? emailChannel({ templates }) : { ...PEOPLES_CHANNEL, ...POSTED, kind, templates }
  }),
)

interface Compared {
  readonly events: readonly ShipbellEvent[]
  readonly pairing: Pairing
}

/** Declares that whole messages of `kinds` prove what the outlines of two templates say of `events`. */
export function compareMessages(kinds: readonly Kind[], { events, pairing }: Compared): void {
  describe.each(kinds)('messages to %s', (kind) => {
    const channelOf = channelsOf(kind)
    const sent = memo((source: string | null) =>
      events.map((event) => JSON.stringify(previewBatch(channelOf(source), [claimed(event)], CONTEXT).body)),
    )

    it.each(pairing(MESSAGES))('are told apart by the outlines of %j and %j', (old, other) => {
      const messages = messagesAlike(channelOf(old), channelOf(other), MEMORY)
      for (const [nth, event] of events.entries()) {
        const said = messages.of(event.type)?.isAlike(() => event, READER) ?? null
        if (said !== null) expect([event.type, said]).toEqual([event.type, sent(old)[nth] === sent(other)[nth]])
      }
    })
  })
}

export function bodyWith(source: string, isJson: boolean): RequestBody {
  const compiled = compileBody({ file: null, isJson, source })
  if (compiled.kind === 'problem') throw new Error(compiled.message)
  return { template: compiled.template, contentType: 'a/b', method: 'POST', language: 'en', timeZone: null }
}

/** Declares that whole bodies prove what the outlines of two templates say of `events`. */
export function compareBodies({ events, pairing }: Compared): void {
  describe.each([true, false])('bodies (JSON: %s)', (isJson) => {
    const sent = memo((source: string) => {
      const body = bodyWith(source, isJson)
      return events.map((event) => JSON.stringify(bodyOf(body, { event, subscription: '' }, ZONE)))
    })

    it.each(pairing(BODIES))('are told apart by the outlines of %j and %j', (old, other) => {
      const bodies = bodiesAlike(bodyWith(old, isJson), bodyWith(other, isJson), MEMORY)
      for (const [nth, event] of events.entries()) {
        const said = bodies?.isAlike(() => event, READER) ?? null
        if (said !== null) expect([event.type, said]).toEqual([event.type, sent(old)[nth] === sent(other)[nth]])
      }
    })
  })
}
