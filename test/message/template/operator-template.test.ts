import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../src/message/message.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { OperatorTemplate } from '../../../src/message/template/operator-template.ts'
import { EVENT_CATALOGUE } from '../../../src/model/event-catalogue.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import type { TemplateFailure } from '../../../src/model/message-template.ts'
import { standardPayload } from '../../../src/model/payload.ts'

const TYPE = 'shipment.eta_changed'
const PAYLOAD = standardPayload(sampleEvent(TYPE))

interface Emitted {
  readonly sentence: string
  readonly lines: readonly (string | null)[]
  readonly failures: readonly string[]
}

function render(source: string, about: JsonObject = {}): Emitted {
  const failures: TemplateFailure[] = []
  const templates = new Map([[TYPE, new OperatorTemplate('ops.liquid', source)]])
  const message = messageOf({ ...PAYLOAD, ...about }, { templates, failed: (failure) => failures.push(failure) })
  return {
    sentence: message.sentence,
    lines: message.facts.map(({ label, value }) => (label === null ? value : `${label}: ${value}`)),
    failures: failures.map(({ type, reason }) => `${type} ${reason}`),
  }
}

const BUILT_IN = messageOf(PAYLOAD)

describe('a template', () => {
  it('tells an event: its first line is the headline, what follows are details', () => {
    const source = `
{%- assign change = data.date_change %}

{{ it }} now arrives {{ change.to | moment }}

  moved {{ change | shift }}
{% for fact in facts %}{% if fact.label == 'Containers' %}{{ fact.label | upcase }} {{ fact.value }}{% endif %}
{% endfor %}
{{ sentence }} {{ account }} {{ subject.id }} {{ type }}`
    expect(render(source)).toEqual({
      sentence: 'Spring collection (SHP-1) now arrives Tue 15 Dec 2026, 10:00 UTC',
      lines: ['moved 3 days later', 'CONTAINERS MSCU1234567', `${BUILT_IN.sentence} acme SHP-1 shipment.eta_changed`],
      failures: [],
    })
  })

  it('reads no clock: its now is the instant of the event', () => {
    const source =
      "{{ 'now' | date: '%Y-%m-%d %H:%M' }} {{ 'today' | date: '%Y-%m-%d' }} {{ '2026-12-24T18:00:00Z' | date: '%H:%M' }}"
    const { sentence } = render(source, { timestamp: '2026-11-21T08:30:00.000Z' })
    expect(sentence).toBe('2026-11-21 08:30 2026-11-21 18:00')
  })

  it('keeps the tone of its event, and tells no other type', () => {
    const templates = new Map([[TYPE, new OperatorTemplate('ops.liquid', 'Hello')]])
    expect(messageOf(PAYLOAD, { templates })).toMatchObject({
      type: TYPE,
      tone: 'warning',
      sentence: 'Hello',
      facts: [],
    })
    const other = standardPayload(sampleEvent('shipment.created'))
    expect(messageOf(other, { templates })).toEqual(messageOf(other))
  })

  it('puts nothing where a value is not there, at run time', () => {
    expect(render('{{ it }}: {{ data.nowhere.at_all }}{{ data.nowhere | upcase }}.').sentence).toBe(
      'Spring collection (SHP-1): .',
    )
  })

  it.each([
    [
      'that never ends',
      '{% for a in (1..9999) %}{% for b in (1..9999) %}x{{ a }}{% endfor %}{% endfor %}',
      /limit exceeded/,
    ],
    [
      'that takes too much memory',
      '{% assign s = "xxxxxxxxxx" %}{% for a in (1..99) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
      /limit exceeded/,
    ],
    [
      'that says too much',
      '{% for a in (1..2000) %}{{ "0123456789012345678901234567890123456789012345678901234567" }}\n{% endfor %}',
      /renders more than 100000 characters/,
    ],
    ['that says nothing', '{{ data.nowhere }}', /ops\.liquid:1:1: it renders nothing/],
    ['whose filter refuses a value', '{{ "\uD800" | url_encode }}', /malformed/],
  ])('%s gives way to the built-in message, and is told', (_name, source, reason) => {
    const { sentence, lines, failures } = render(source)
    expect(sentence).toBe(BUILT_IN.sentence)
    expect(lines).toHaveLength(BUILT_IN.facts.length)
    expect(failures).toEqual([expect.stringMatching(reason)])
    expect(failures[0]).toMatch(/^shipment\.eta_changed ops\.liquid:\d+:\d+: /)
  })

  it.each([
    ['a line break', 'Spring\r\nFrom: evil\u2028x\u0085y', 'Spring From: evil x y'],
    ['a terminal escape', 'a\u001b[31mb', 'a [31mb'],
    ['bidirectional overrides', 'a\u202Eb\u2066c', 'abc'],
    ['a template', '{{ data | json }}{% raw %}', '{{ data | json }}{% raw %}'],
    ['markup, which a channel escapes', '<!channel> <script> *b*', '<!channel> <script> *b*'],
  ])('carries %s of a record as neutral text', (_name, name, shown) => {
    const data = { shipment: { id: 'SHP-1', name } }
    expect(render('{{ data.shipment.name }}', { data })).toEqual({ sentence: shown, lines: [], failures: [] })
    expect(render('{% capture c %}{{ data.shipment.name }}{% endcapture %}{{ c }}', { data }).sentence).toBe(shown)
    expect(render('{% echo data.shipment.name %}', { data }).sentence).toBe(shown)
    expect(render('{% cycle data.shipment.name %}', { data }).sentence).toBe(shown)
  })

  it('keeps a headline and details of any length within bounds', () => {
    const name = 'n'.repeat(100_000)
    const { sentence, lines, failures } = render(
      `{{ data.shipment.name }}\n${'{{ data.shipment.name }}\n'.repeat(40)}`,
      {
        data: { shipment: { name } },
      },
    )
    expect(failures).toEqual([])
    expect([sentence, ...lines].every((line) => line?.length === 500)).toBe(true)
    const many = render('Headline\n{% for i in (1..200) %}{{ i }}\n{% endfor %}').lines
    expect(many).toHaveLength(50)
    expect(many.slice(-2)).toEqual(['49', 'and 151 more lines'])
  })

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'data.constructor',
    'data.__proto__',
    'type.constructor',
    'facts.map',
  ])('sees own properties only: %s is not one', (name) => {
    expect(render(`[{{ ${name} }}]`).sentence).toBe('[]')
  })

  it.each([
    '{% assign __proto__ = data %}{% increment constructor %}',
    '{% assign toString = "x" %}{% capture __proto__ %}y{% endcapture %}',
  ])('changes nothing outside itself: %s', (source) => {
    const before = JSON.stringify(PAYLOAD)
    render(`x${source}`)
    expect(JSON.stringify(PAYLOAD)).toBe(before)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(render('{{ it }}').sentence).toBe('Spring collection (SHP-1)')
  })

  it('never throws, whatever a payload holds', () => {
    const source =
      '{{ data.a | json }}{{ data.b | moment }}\n{% for x in data.c %}{{ x | money }} {{ x | changed }}{% endfor %}'
    const template = new OperatorTemplate(
      'ops.liquid',
      `{{ it }} ${source}{{ data | times: 2 }}{{ data.a | sort | join }}`,
    )
    const templates = new Map(EVENT_CATALOGUE.map(({ type }) => [type, template]))
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const payload: Json = JSON.parse(JSON.stringify({ ...PAYLOAD, data: { a, b, c } }))
        const { sentence, facts } = messageOf(payload, { templates })
        expect(sentence.trim()).not.toBe('')
        for (const text of [sentence, ...facts.map((fact) => fact.value)]) expect(text).not.toMatch(/[\r\n\u2028]/)
      }),
    )
  })
})
