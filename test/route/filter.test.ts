import { describe, expect, it, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { compileFilter } from '../../src/route/filter/compile-filter.ts'
import { filter, payload } from './samples.ts'

const DATA: JsonObject = {
  days_left: 2,
  shipment: { freight_mode: 'ocean', purchase_order_references: ['4500010300', '4500010301'] },
  date_change: { milestone: 'arrival', shift_minutes: 721, from: null },
  object: { eta: '2026-12-12T15:00:00+00:00', name: 'Brake discs', weight: 2.5, note: null, containers: [] },
}

function judge(expression: string, data: JsonObject = DATA): string {
  return filter(expression).judge(payload(data)).kind
}

const text = (letters: number): string => JSON.stringify('a'.repeat(letters))
const sum = (name: string): string => Array<string>(40).fill(name).join('+')

describe('an expression sees the whole payload', () => {
  test.each([
    'id == "evt_1" && type == "shipment.eta_changed" && cause == "change"',
    'type.startsWith("shipment.") && type in ["shipment.eta_changed", "shipment.etd_changed"]',
    'account == "acme" && sequence == 12 && sequence > 11',
    'subject.resource == "shipment" && subject.id == "SHP-1" && subject.version == 3',
    'observed.not_before == null && timestamp(observed.not_after) <= timestamp("2026-11-21T08:00:00Z")',
    'timestamp(timestamp) > timestamp("2026-01-01T00:00:00+02:00")',
    'type(data) == map',
  ])('%s', (expression) => {
    expect(judge(expression)).toBe('match')
  })
})

describe('numbers of JSON meet literals naturally', () => {
  test.each([
    'data.days_left < 3',
    'data.days_left == 2 && data.days_left == 2.0 && data.days_left != 3',
    'data.days_left in [1, 2]',
    'data.object.weight > 2',
    'data.date_change.shift_minutes > 12 * 60',
    'data.days_left + 1 == 3 && 1 + data.days_left == 3 && data.days_left - 1 == 1',
    '3 - data.days_left == 1 && 2 * data.days_left == 4 && 2.5 * 2 == 5 && 5 != 2.5 * 3 && 7 % data.days_left == 1',
    '-data.days_left == -2 && int(data.days_left) + 1 == 3 && size(data.shipment.freight_mode) - data.days_left == 3',
    'data.days_left * 2 == 4 && data.object.weight / 2 == 1.25 && data.days_left % 2 == 0',
  ])('%s', (expression) => {
    expect(judge(expression)).toBe('match')
  })
})

describe('the language', () => {
  test.each([
    ['data.shipment.freight_mode == "ocean"', 'match'],
    ['data.shipment.freight_mode == "air"', 'no match'],
    ['has(data.object.eta) && !has(data.object.etd)', 'match'],
    ['"4500010301" in data.shipment.purchase_order_references', 'match'],
    ['data.shipment.purchase_order_references.exists(r, r.startsWith("45"))', 'match'],
    ['data.shipment.purchase_order_references.all(r, r.endsWith("0"))', 'no match'],
    ['size(data.shipment.purchase_order_references) == 2', 'match'],
    ['data.object.name.contains("discs") && data.object.name.matches("^Brake\\\\s[a-z]+$")', 'match'],
    ['(data.object.name).matches("^discs") // matches', 'no match'],
    ['timestamp(data.object.eta) - timestamp(timestamp) > duration("480h")', 'match'],
    ['data.date_change.from == null ? true : data.date_change.shift_minutes > 60', 'match'],
    ['[1, 2].exists(type, type == 2)', 'match'],
    ['data.date_change == {"milestone": "arrival", "shift_minutes": 721.0, "from": null}', 'match'],
    ['data.shipment == {"freight_mode": "ocean", "purchase_order_references": ["4500010300", "4500010301"]}', 'match'],
    ['data.object.containers == [] && data.object != data.shipment && data.object == data.object', 'match'],
    ['["name", "note"].map(key, data.object[key]) == ["Brake discs", null]', 'match'],
    ['true // and a comment', 'match'],
  ])('%s: %s', (expression, expected) => {
    expect(judge(expression)).toBe(expected)
  })
})

describe('reaching into what is missing means no match', () => {
  test.each([
    'data.nothing == 1',
    'data.nothing.deeper == 1',
    'data.nothing != 1',
    '!(data.nothing == 1)',
    'data.object.note.text == "x"',
    'data.days_left.x == 1',
    'data.object.containers[0].seal == "x"',
    'data["nothing"] == 1',
    'has(data.nothing.deeper)',
    'data.shipment.purchase_order_references.exists(r, r.x == 1)',
    'data.object.toString == "x" || data.object.constructor == "x"',
  ])('%s', (expression) => {
    expect(judge(expression)).toBe('no match')
  })

  it('unless the rest decides', () => {
    expect(judge('data.nothing == 1 || data.days_left == 2')).toBe('match')
    expect(judge('data.days_left == 2 || data.nothing == 1')).toBe('match')
  })

  it('also where the whole `observed` is null', () => {
    const service = payload({}, { observed: null })
    expect(filter('observed.not_after != ""').judge(service).kind).toBe('no match')
  })
})

describe('any other evaluation error is said', () => {
  test.each([
    ['data.object.note > 3', 'no such overload: dyn<null> > int'],
    ['data.object.name > 3', 'no such overload: dyn<string> > int'],
    ['data.days_left', 'It says neither true nor false.'],
    ['data.object.name.matches("x") && data.days_left.matches("x")', 'no match'],
    ['data.days_left.matches("x")', "found no matching overload for 'double.matches(string)'"],
    ['timestamp(data.object.name) > timestamp(timestamp)', 'timestamp() requires a string in ISO 8601 format'],
    ['1 / 0 == 1', 'division by zero'],
  ])('%s', (expression, reason) => {
    const verdict = filter(expression).judge(payload(DATA))
    expect(verdict.kind === 'failed' ? verdict.reason : verdict.kind).toBe(reason)
  })
})

describe('what is wrong is said at load, at its character', () => {
  test.each([
    ['dta.days_left < 3', 0, 'Unknown variable: dta (a payload has id, type, timestamp, account, sequence, subject,'],
    ['true && dat == 1', 8, 'Unknown variable: dat'],
    ['subject.resurce == "shipment"', 8, 'No such key: resurce'],
    ['id == 3', 0, 'no such overload: string == int'],
    ['cause.matches(3)', 14, '`matches` takes its pattern as text in quotes'],
    ['data.a.matches("(")', 15, 'this is not a regular expression as RE2 knows them'],
    ['data.a.matches("(?=x)")', 15, 'this is not a regular expression as RE2 knows them'],
    ['data.a.matches(data.b)', 15, '`matches` takes its pattern as text in quotes'],
    ['data.a.matches( // matches\n"a")', 19, 'put no comment between `matches` and its pattern'],
    ['1 + 1', 0, 'must say true or false, and this is int'],
    ['"text"', 0, 'must say true or false, and this is string'],
    ['data.', 5, 'Expected IDENTIFIER, got EOF'],
    ['type = "x"', 5, 'Unexpected character: ='],
    ['true) || (true', 4, 'Unexpected'],
    ['now() > 1', 0, "found no matching overload for 'now()'"],
    ['cel.bind(x, 1, x == 1)', 0, '`cel.bind` is not supported'],
    ['event_type == "x"', 0, 'Unknown variable: event_type'],
    ['', 0, 'Unexpected token: EOF'],
    [`${'('.repeat(60)}true${')'.repeat(60)}`, 32, 'Exceeded maxDepth'],
    [Array(600).fill('true').join('&&'), 0, 'Exceeded maxAstNodes'],
    [`"${'x'.repeat(4_000)}" == id`, 0, 'is longer than 4000 characters'],
    [
      'data.a.exists(a, a.b.exists(b, b.c.exists(c, c.d.exists(d, d == 1))))',
      45,
      'loops lie more than 3 deep in each other',
    ],
  ])('%s', (expression, offset, message) => {
    const compiled = compileFilter(expression)
    if (compiled.kind === 'filter') throw new Error('it compiles')
    expect(compiled.message.slice(0, message.length)).toBe(message)
    expect(compiled.offset).toBe(offset)
  })
})

describe('hostile records', () => {
  const HUGE: JsonObject = {
    list: Array.from({ length: 20_000 }, (_, index) => ({ a: index, b: null })),
    map: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
    text: 'x'.repeat(3_000_000),
  }

  test.each([
    'data.list.exists(x, x.missing == 1)',
    'data.list.exists(x, x.b < 3)',
    'data.list.exists(x, data.list.exists(y, x.a == y.a + 1 && x.a < 0))',
    'data.list.map(x, x.a).exists(i, data.list.map(y, y.a).exists(j, i == -1.0))',
    'data.list.all(x, data.list.all(y, x.missing == y.missing))',
    'data.map.exists(k, data.map.exists(j, j == k + "z"))',
    'data.list.exists(x, data.map == data.map && false)',
    'data.list.exists(x, data.text.contains("y"))',
    '(data.list + data.list).exists(x, x.missing == 1)',
  ])('cannot make it long: %s', (expression) => {
    const judging = filter(expression)
    expect(judging.judge(payload(HUGE))).toEqual({
      kind: 'failed',
      reason:
        'It costs too much on this event: its loops meet a huge record, or multiply, or build a huge text or list.',
    })
    expect(judging.judge(payload(DATA)).kind, 'the next event has its own allowance').toBe('no match')
  })

  const ones = `[${Array<number>(100).fill(1).join(',')}]`

  test.each([
    ['loops through what the expression itself names', `${ones}.all(a, ${ones}.all(b, ${ones}.all(c, c == a)))`],
    ['loops in which each step fails', `${ones}.all(a, ${ones}.all(b, ${ones}.exists(c, [c][c] == 1)))`],
    [
      'a text that grows with each loop',
      `[${text(3_000)}].map(x, ${sum('x')}).map(y, ${sum('y')}).exists(z, (${sum('z')}).contains("q"))`,
    ],
    ['a list that grows with each loop', `[${ones}].map(x, ${sum('x')}).map(y, ${sum('y')}).exists(z, size(z) == 1)`],
    ['a long text that is scanned again and again', `${ones}.all(a, ${ones}.all(b, !data.long.contains("b")))`],
    ['time zones', `${ones}.all(a, ${ones}.all(b, timestamp(timestamp).getHours("Europe/Paris") > -1))`],
  ])('cannot be made to compute without end: %s', (_, expression) => {
    const judging = filter(expression)
    expect(judging.judge(payload({ long: 'a'.repeat(50_000) }))).toEqual({
      kind: 'failed',
      reason:
        'It costs too much on this event: its loops meet a huge record, or multiply, or build a huge text or list.',
    })
  })

  test.each([
    ['id.split("").exists(c, c == "a")', '`split` is not supported'],
    ['["a", "b"].join(",") == "a,b"', '`join` is not supported'],
    ['bytes(id).size() > 1', '`bytes` is not supported'],
    ['id.RE2test("a")', '`RE2test` is not supported'],
    ['metered(true)', '`metered` is not supported'],
    [`id.matches("${'a{1000}|'.repeat(400)}b")`, 'this regular expression is too large: its repetitions multiply'],
    [`id.matches("(${'abc'.repeat(300)}){900}")`, 'this regular expression is too large: its repetitions multiply'],
    [
      `id.matches("${String.raw`\\p{L}`.repeat(300)}")`,
      'this regular expression is too large: its repetitions multiply',
    ],
  ])('what cannot be bounded is refused when it is read: %.40s', (expression, message) => {
    expect(compileFilter(expression)).toMatchObject({ kind: 'problem', message })
  })

  it('cannot make a regular expression backtrack', () => {
    const data = { text: `${'a'.repeat(100_000)}!` }
    expect(judge('data.text.matches("^(a+)+$") || data.text.matches("(x+x+)+y")', data)).toBe('no match')
  })

  it('cannot make a pattern long: its size times the text is bounded', { tags: 'long' }, () => {
    const judging = filter('data.texts.exists(t, t.matches("(?:[ab]{0,400}a){2}$"))')
    const text = 'ab'.repeat(2_000)
    expect(judging.judge(payload({ texts: [text, text, text] }))).toEqual({
      kind: 'failed',
      reason: 'It matches too much text of this event.',
    })
    expect(judging.judge(payload({ texts: ['bbb', 'aa'] }))).toEqual({ kind: 'match' })
  })

  it('have keys that mean nothing but themselves', () => {
    const data: unknown = JSON.parse('{"o":{"__proto__":{"q":1},"constructor":5,"hasOwnProperty":1,"size":7,"get":8}}')
    const hostile = payload({ ...Object(data) })
    for (const expression of [
      'data.o.__proto__.q == 1',
      'data.o.constructor == 5 && data.o.hasOwnProperty == 1 && data.o.size == 7 && data.o.get == 8',
      'size(data.o) == 5 && "constructor" in data.o && !("valueOf" in data.o)',
    ])
      expect(filter(expression).judge(hostile).kind, expression).toBe('match')
  })

  it('leave an honest expression room: a hundred containers with fifty events each', () => {
    const steps = Array.from({ length: 100 }, () => ({
      events: Array.from({ length: 50 }, (_, index) => ({ status: index === 49 ? 'actual' : 'planned' })),
    }))
    const expression = 'data.object.steps.all(s, s.events.exists(e, e.status == "actual"))'
    expect(judge(expression, { object: { steps } })).toBe('match')
  })
})
