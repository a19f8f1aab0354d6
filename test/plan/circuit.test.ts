import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterTry,
  CLOSED,
  placesOf,
  probed,
  probesNewest,
  probesAt,
  recalled,
  type Circuit,
  type EndedTry,
} from '../../src/plan/circuit.ts'

const MANY = 101

const KINDS: Readonly<Record<string, EndedTry['kind']>> = { x: 'first', r: 'retry', f: 'forwarded' }

/** `x` a first attempt that failed, `r` a retry and `f` one that was brought forward; a capital arrived. */
function tries(circuit: Circuit, attempts: string, concurrency = 8): Circuit {
  return attempts.split('').reduce((before, attempt, n) => {
    const letter = attempt.toLowerCase()
    const [kind = 'first', delivered, isProbe] = [KINDS[letter], attempt !== letter, before.open !== null]
    return afterTry(before, { kind, delivered, isProbe, endedAt: 10 * n, concurrency })
  }, circuit)
}

const isOpen = (circuit: Circuit): boolean => circuit.open !== null
const openAfter = (attempts: string) => {
  const { open } = tries(CLOSED, attempts)
  if (open === null) throw new Error(`It is closed after ${attempts}.`)
  return open
}

describe('a circuit', () => {
  it.each([
    ['eight first attempts that failed', 'x'.repeat(8), false],
    ['nine', 'x'.repeat(9), true],
    ['89 retries', 'r'.repeat(89), false],
    ['90', 'r'.repeat(90), true],
    ['90 that were brought forward', 'f'.repeat(90), true],
    ['retries and first attempts', 'xxxx' + 'r'.repeat(50), true],
    ['failures with a success among them', 'xxxxxxxxXxxxxxxxx', false],
    ['a success', 'xxxxxxxxxX', false],
    ['a success after probes that failed', 'xxxxxxxxxxxxR', false],
  ])('after %s (%s) is open: %s', (_, attempts, open) => {
    expect(isOpen(tries(CLOSED, attempts))).toBe(open)
  })

  it.each([
    ['', 1],
    ['F', 2],
    ['FFF', 4],
    ['FFFf', 3],
    ['Fffff', 1],
    ['F'.repeat(20), 8],
    ['FFF' + 'X'.repeat(5), 4],
    ['FFF' + 'r'.repeat(80), 4],
    ['FFF' + 'x'.repeat(9), 1],
  ])('after "%s" brings so many rows forward at once: %s', (attempts, pace) => {
    expect(tries(CLOSED, attempts).pace).toBe(pace)
  })

  it.each([
    ['', null],
    ['x'.repeat(8) + 'X', null],
    ['x'.repeat(9) + 'X', 1],
    ['x'.repeat(9) + 'XXX', 3],
    ['x'.repeat(9) + 'XXXx', 2],
    ['x'.repeat(9) + 'XXXrrr', 3],
    ['x'.repeat(9) + 'Xxxx', 1],
    ['x'.repeat(9) + 'X'.repeat(8), null],
  ])('after "%s" lets so many attempts run at once: %s (null: all)', (attempts, places) => {
    const circuit = tries(CLOSED, attempts)
    expect([placesOf(circuit, MANY), placesOf(circuit, MANY - 1)]).toEqual([places, null])
  })

  it.each(['xxxx', 'rrrr'])('that starts slowly opens again after %s', (failures) => {
    const slow = tries(CLOSED, 'x'.repeat(9) + 'XX')
    expect([isOpen(tries(slow, failures.slice(1))), isOpen(tries(slow, failures))]).toEqual([false, true])
  })

  it('is probed only while many rows are pending', () => {
    const circuit = tries(CLOSED, 'x'.repeat(9))
    expect([probed(circuit, MANY), probed(circuit, MANY - 1)]).toEqual([circuit.open, null])
    expect(probed(CLOSED, MANY)).toBeNull()
  })

  it('is probed at once, then twice as long after each probe that failed, at most half a minute', () => {
    const open = openAfter('x'.repeat(9))
    const waits = Array.from({ length: 10 }, (_, probes) => probesAt({ ...open, probes }) - open.failedAt)
    expect(waits.map((wait) => wait / 1_000)).toEqual([0, 1, 2, 4, 8, 16, 30, 30, 30, 30])
  })

  it('is probed by the newest row twice, then by oldest and newest in turn', () => {
    const open = openAfter('x'.repeat(9))
    const rows = Array.from({ length: 6 }, (_, probes) => (probesNewest({ ...open, probes }) ? 'newest' : 'oldest'))
    expect(rows).toEqual(['newest', 'newest', 'oldest', 'newest', 'oldest', 'newest'])
  })

  it('learns nothing of failures of what was under way when it opened', () => {
    const circuit = tries(CLOSED, 'x'.repeat(9))
    const late = { kind: 'first', isProbe: false, delivered: false, endedAt: 999, concurrency: 8 } as const
    expect(afterTry(circuit, late)).toEqual(circuit)
    expect(isOpen(afterTry(circuit, { ...late, delivered: true }))).toBe(false)
  })

  it('goes on where another process was, with a probe of the newest row at once', () => {
    const { open } = recalled(12)
    expect(open === null ? null : [probesNewest(open), probesAt(open)]).toEqual([true, 0])
    expect(isOpen(recalled(9))).toBe(false)
    expect(isOpen(tries(recalled(9), 'x'))).toBe(true)
    expect(recalled(0)).toEqual(CLOSED)
  })

  it('is closed by a success, whatever came before', () => {
    const attempts = fc.string({ unit: fc.constantFrom('x', 'r', 'f', 'X', 'R', 'F') })
    fc.assert(
      fc.property(attempts, fc.constantFrom('X', 'R', 'F'), fc.integer({ min: 1, max: 64 }), (before, last, most) => {
        const { evidence, open, pace } = tries(CLOSED, before + last, most)
        expect({ evidence, open }).toEqual({ evidence: 0, open: null })
        expect(pace).toBeLessThanOrEqual(most)
      }),
    )
  })
})
