import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../src/log.ts'

const LINES: readonly (readonly [message: string, fields: Readonly<Record<string, unknown>>])[] = [
  ['poll.completed', {}],
  ['delivery.attempted', { delivery: 'dlv_1', attempt: 1, status: null, duration_ms: 12.5, next: 'delivered' }],
  ['odd.values', { left: undefined, act: () => 1, endless: Number.POSITIVE_INFINITY, none: Number.NaN, yes: true }],
  ['odd.texts', { text: 'a "quoted" \\ text\nof\ttwo lines\u0007 é ☃ 😀', long: `${'x'.repeat(200)}"\u0001` }],
  ['odd.shapes', { list: [1, undefined, { deep: null }], at: new Date(0), [`"key"\n`]: 1 }],
  ['own.names', { level: 'own', msg: 'own' }],
  ['an.error', { err: new Error('boom') }],
  ['what.json.lacks', { big: 1n }],
  ['its.own.form', { a: 1, toJSON: () => 'a text' }],
  ['100 % with %s', { some: 1 }],
]

describe('a line of log', () => {
  it.each(LINES)('is what pino writes: %s', (message, fields) => {
    const [own, pinos]: [string[], string[]] = [[], []]
    const sink = { level: 'info', pretty: false, colour: false, secrets: () => [] } as const
    createLogger({ ...sink, write: (line) => own.push(untimed(line)) }).warn(fields, message)
    pino({ level: 'info', base: null }, { write: (line) => pinos.push(untimed(line)) }).warn(fields, message)
    expect(own).toEqual(pinos)
    expect(own).toHaveLength(1)
  })

  it('hides a short secret behind half a surrogate pair', () => {
    const lines: string[] = []
    const sink = { level: 'info', pretty: false, colour: false, secrets: () => ['pw12%'] } as const
    createLogger({ ...sink, write: (line) => lines.push(line) }).warn({ error: '\udc00pw12%ba' }, 'poll.failed')
    expect(lines.join('')).not.toContain('pw12')
  })

  it('below the level is not written, also where that changes', () => {
    const lines: string[] = []
    const log = createLogger({
      level: 'warn',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: (line) => lines.push(line),
    })
    log.info({ a: 1 }, 'not.written')
    log.level = 'info'
    log.info({ a: 1 }, 'now.written')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 30, a: 1, msg: 'now.written' }])
  })
})

function untimed(line: string): string {
  return line.replace(/"time":\d+/, '"time":0').replaceAll(/\\n {4}at [^"]*/g, '')
}
