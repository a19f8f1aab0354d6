import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileBody, OperatorBody } from '../../../src/message/template/body-template.ts'
import { jsonFlaw } from '../../../src/message/template/json-flaw.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { templatePayload } from '../../../src/model/payload.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { runs } from '../../support/runs.ts'

const READER = { language: 'en', timeZone: 'UTC' } as const
const PAYLOAD = templatePayload({
  event: sampleEvent('shipment.eta_changed'),
  subscription: 'pager',
  place: { series: 'k3v9', position: 7 },
})

function made(source: string, more: JsonObject = {}, isJson = true): string {
  const body = new OperatorBody({ file: null, source, isJson }).render({ ...PAYLOAD, ...more }, READER)
  return body.kind === 'body' ? body.text : `${body.place.line}:${body.place.column} ${body.reason}`
}

const SENTENCE =
  'Arrival (ETA) of Spring collection (SHP-1) moved 3 days later, from Sat 12 Dec 2026, 10:00 UTC to Tue 15 Dec 2026, 10:00 UTC'
const BY_JSON = 'put it out by the filter `json`, which brings its own quotation marks'

describe('a body', () => {
  const cases: readonly (readonly [string, string, string, JsonObject?])[] = [
    ['has what people would read', '{{ text | json }}', JSON.stringify(`${SENTENCE}.`)],
    ['has that as a headline, too', '{{ title | json }}', '"ETA +3d → Tue 15 Dec 10:00 · Spring collection"'],
    ['says how bad it is', '[{{ severity | json }}]', '["warning"]'],
    ['has its position', '{{ delivery.position }}', '7'],
    ['has objects whole', '{{ data.date_change.to | json }}', '{"date":"2026-12-15T10:00:00Z","status":"estimated"}'],
    ['has null for what is missing', '[{{ nope | json }},{{ data.nope.nope | json }}]', '[null,null]'],
    [
      'shows dates on the clocks of its readers',
      '{{ data.date_change.to | moment | json }}',
      '"Tue 15 Dec 2026, 10:00 UTC"',
    ],
    ['escapes by `json`', '{{ it | json }}', String.raw`"a\"b\\c\nd"`, { it: 'a"b\\c\nd' }],
    [
      'captures what it likes',
      '{% capture t %}{{ it }}!{% endcapture %}{{ t | json }}',
      String.raw`"a\"!"`,
      { it: 'a"' },
    ],
    [
      'cuts no character in two',
      '{{ it | truncate: 6 | json }}',
      '"abc..."',
      { it: 'abc\u{1F6A2}\u{1F6A2}\u{1F6A2}\u{1F6A2}' },
    ],
    ['has no half of a character', '{{ it | json }}', String.raw`"a\ufffd\\ud83d"`, { it: 'a\uD83D\\ud83d' }],
    ['may put a value into a text', '"{{ it }}"', '"O’Neill & Søn 船"', { it: 'O’Neill & Søn 船' }],
    [
      'is not broken out of by a quotation mark',
      '{"a": "{{ it }}"}',
      `1:8 a value holds a quotation mark: ${BY_JSON}`,
      { it: '","b":"' },
    ],
    [
      'nor by a line break',
      '"{{ it }}"',
      `1:2 a value holds a line break or another control character: ${BY_JSON}`,
      { it: 'a\nb' },
    ],
    ['nor by a backslash', '"{% echo it %}"', `1:2 a value holds a backslash: ${BY_JSON}`, { it: '\\' }],
    [
      'nor behind a capture',
      '{% for i in (1..2) %}{% capture t %}{% break %}{% endcapture %}{% endfor %}"{{ it }}"',
      `1:77 a value holds a quotation mark: ${BY_JSON}`,
      { it: '"' },
    ],
    [
      'is not made of what is no JSON',
      '{\n "a": {{ nope }} }',
      '1:1 what it renders is no JSON: at line 2, column 8 of that there stands "}"',
    ],
    [
      'is not made of half of it',
      '{"a": [1, "b',
      '1:1 what it renders is no JSON: at line 1, column 13 of that it ends too soon',
    ],
    ['is not made of nothing', '{% if nope %}1{% endif %} ', '1:1 it renders nothing'],
  ]
  test.each(cases.map(([what, source, expected, more]) => ({ what, source, expected, more })))(
    '$what',
    ({ expected, more, source }) => {
      expect(made(source, more)).toBe(expected)
    },
  )

  test('that is no JSON has values as they are', () => {
    expect(made('{{ it }}: {{ nope }}{{ it | json }}', { it: 'a"\nb' }, false)).toBe('a"\nb: "a\\"\\nb"')
  })

  test('that is XML or HTML escapes what it puts out, and a form encodes it', () => {
    const it = '<a href="x">O\'Neill & Søn</a>'
    const escaped = '&lt;a href=&#34;x&#34;&gt;O&#39;Neill &amp; Søn&lt;/a&gt;'
    expect(made('<t>{{ it | escape }}{{ nope | escape }}</t>', { it }, false)).toBe(`<t>${escaped}</t>`)
    expect(made('{% capture t %}{{ it | escape }}{% endcapture %}{{ t | escape_once }}', { it }, false)).toBe(escaped)
    expect(made('t={{ it | url_encode }}', { it: 'a b&c=d' }, false)).toBe('t=a+b%26c%3Dd')
  })

  test('reads nothing but the payload', () => {
    for (const path of ['constructor', 'data.constructor.name', '__proto__', 'data.toString', 'process', 'globalThis'])
      expect(made(`{{ ${path} | json }}`)).toBe('null')
    for (const tag of [
      '{% include "a" %}',
      '{% render "a" %}',
      '{% layout "a" %}',
      '{{ it | raw }}',
      '{{ it | inspect }}',
    ])
      expect(compileBody({ file: null, source: tag, isJson: true })).toMatchObject({ kind: 'problem' })
  })

  test('is bounded: in work, and in size', () => {
    const busy = new OperatorBody({
      file: null,
      isJson: true,
      source: '{% for i in (1..100000) %}{{ data | json }}{% endfor %}',
    })
    expect(busy.render(PAYLOAD, READER)).toMatchObject({ kind: 'unmade', bound: true })
    expect(made('{{ it }}{{ it }}', { it: 'x'.repeat(600_000) })).toBe('1:1 it renders more than 1000000 characters')
  })

  test('has the keys that its template says, whatever records hold', { tags: 'long' }, () => {
    const source =
      '{ "a": {{ it | json }}, "b": "{{ it }}", "c": [{{ data.name | json }}, "{{ data.name | truncate: 9 }}"] }'
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', ',', '}', ':', 'x', '\n', '\u{1F6A2}') }),
    )
    fc.assert(
      fc.property(text, text, (it, name) => {
        const body = new OperatorBody({ file: null, source, isJson: true }).render(
          { ...PAYLOAD, it, data: { name } },
          READER,
        )
        if (body.kind === 'unmade') return
        const whole: unknown = JSON.parse(body.text)
        expect(whole).toEqual({ a: it.toWellFormed(), b: it, c: [name.toWellFormed(), expect.any(String)] })
      }),
      runs(30),
    )
  })
})

describe('where a text stops being JSON', () => {
  test.each([
    ['{"a": }', '1:7 }'],
    ['{"a": 1,}', '1:9 }'],
    ['[1 2]', '1:4 2'],
    ['{"a" 1}', '1:6 1'],
    ['["a\nb"]', '1:4 \n'],
    ['{}\n x', '2:2 x'],
    ['[01]', '1:3 1'],
    ['["\\x"]', '1:3 \\'],
    ['nul', '1:1 n'],
    ['\u{1F6A2}', '1:1 \u{1F6A2}'],
    ['{"a": [1, {"b": [', '1:18 null'],
    ['', '1:1 null'],
  ])('%j', (text, expected) => {
    const { at, column, line } = jsonFlaw(text) ?? { at: '', column: 0, line: 0 }
    expect(`${line}:${column} ${at}`).toBe(expected)
  })

  test('is within every text that is none, and nowhere in one that is', () => {
    const texts = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', ',', '[', '\\', '\n', '1'))
    fc.assert(
      fc.property(texts, ([json, place, put]) => {
        expect(jsonFlaw(json)).toBeNull()
        const at = place % (json.length + 1)
        const broken = json.slice(0, at) + put + json.slice(at + 1)
        const flaw = jsonFlaw(broken)
        const isJson = ((): boolean => {
          try {
            return JSON.parse(broken) !== undefined
          } catch {
            return false
          }
        })()
        expect(flaw === null).toBe(isJson)
      }),
      runs(30),
    )
  })
})
