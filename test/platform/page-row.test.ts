import { array, assert, constantFrom, dictionary, jsonValue, nat, oneof, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHashOf } from '../../src/model/content-hash.ts'
import { bodyOf, parseExactJson } from '../../src/platform/answer.ts'
import { rowsOfText } from '../../src/platform/page-row.ts'

function rowsOf(text: string | Buffer, known: ReadonlyMap<string, string> = new Map()) {
  return rowsOfText(bodyOf({ headers: {}, chunks: [Buffer.from(text)] }), known)
}

describe('the rows of a list, cut out of its text', () => {
  test.each([
    ['[{"a":1},{"a":2}]'],
    [' [ {"a": "}{][,"} ,\r\n\t{ "b":{"c":[{},{"d":[]}]}} ] '],
    ['[{"a":"\\"}"},{"a":"\\\\"},{"b\\u0022":"\\\\\\""}]'],
    ['\uFEFF[{"a":1}]'],
    ['[{"a":1,"a":2,"__proto__":{"b":1},"constructor":null}]'],
    ['[{"a":12345678901234567890,"b":1e400,"c":[12345678901234567890]}]'],
    ['[{"ü":"上海"},{"a":"\uD83D\uDE00"}]'],
    [`[${'{"a":'.repeat(300)}{}${'}'.repeat(300)}]`],
  ])('are what parsing the whole gives: %#', (text) => {
    expect(rowsOf(text)?.map(({ value }) => value)).toEqual(parseExactJson(text))
  })

  test('are what parsing the whole gives, whatever they hold and however they are written', { tags: 'long' }, () => {
    const records = array(dictionary(string(), jsonValue({ maxDepth: 4 })), { minLength: 1 })
    assert(
      property(records, constantFrom(undefined, 1, '\t', '\r\n'), (values, space) => {
        const text = JSON.stringify(values, null, space)
        expect(rowsOf(text)?.map(({ value }) => value)).toEqual(parseExactJson(text))
      }),
    )
  })

  test('are cut where rows begin, not where what they hold begins alike', () => {
    const part = record({ id: string() }, { noNullPrototype: true })
    const row = record({ id: oneof(string(), part, array(part)), more: array(part) }, { requiredKeys: ['id'] })
    const rows = array(oneof(row, dictionary(string(), part)), { minLength: 1 })
    assert(
      property(rows, constantFrom(undefined, 1, '\t'), nat(), (values, space, gone) => {
        const text = JSON.stringify(values, null, space)
        const known = new Map(values.map((value, at) => [contentHashOf(JSON.stringify(value)), String(at)]))
        expect(rowsOf(text, known)?.map(({ value }) => value)).toEqual(parseExactJson(text))
        const at = gone % text.length
        const spoilt = text.slice(0, at) + text.slice(at + 1)
        const whole = parsed(spoilt)
        const found = rowsOf(spoilt)?.map(({ value }) => value) ?? null
        if (found !== null) expect(found).toEqual(whole)
      }),
    )
  })

  test('are none where parsing the whole fails, wherever the text is cut or spoilt', () => {
    const text = '[{"a":"\\"}"},{"b":[1,{"c":null}]}]'
    for (let at = 0; at < text.length; at += 1) {
      expect(rowsOf(text.slice(0, at))).toBeNull()
      for (const spoilt of [text.slice(0, at) + text.slice(at + 1), `${text.slice(0, at)}}${text.slice(at)}`]) {
        const whole = parsed(spoilt)
        expect(rowsOf(spoilt)?.map(({ value }) => value) ?? null).toEqual(whole)
      }
    }
  })

  test.each([
    '[]',
    '{}',
    '',
    'null',
    '[1]',
    '[{},null]',
    '[{}] x',
    '[{},]',
    '[,{}]',
    '[{}{}]',
    '[{"a":1]',
    '"[{}]"',
    '[{"a"',
  ])('are none of %s, which is to be parsed as a whole', (text) => {
    expect(rowsOf(text)).toBeNull()
  })

  test('read bytes that are no UTF-8 as parsing the whole does', () => {
    const body = Buffer.concat([Buffer.from('[{"a":"'), Buffer.from([0xe2, 0x22]), Buffer.from('}]')])
    expect(rowsOf(body)?.map(({ value }) => value)).toEqual([{ a: '\uFFFD' }])
  })

  test('are known by their texts', () => {
    const known = new Map([[contentHashOf('{"a":"é"}'), 'A']])
    const rows = rowsOf('[{"a":"é"},{"a": "é"}]', known) ?? []
    expect(rows.map((row) => row.known)).toEqual(['A', null])
    expect(rows.map(({ value }) => value)).toEqual([{ a: 'é' }, { a: 'é' }])
    expect(rows[0]?.contentHash).toBe(contentHashOf('{"a":"é"}'))
  })
})

function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return null
  }
}
