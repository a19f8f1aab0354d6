import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterTry, CLOSED, isProbed, probesAt, probeWaitMs, recalled, type Circuit } from '../../src/plan/circuit.ts'

const MANY = 101
const tries = (circuit: Circuit, outcomes: string, concurrency = 8): Circuit =>
  outcomes
    .split('')
    .reduce(
      (before, outcome, n) =>
        afterTry(before, { delivered: outcome === '+', startedAt: 10 * n + 1, endedAt: 10 * n + 2, concurrency }),
      circuit,
    )

describe('a circuit', () => {
  it.each([
    ['+++', null],
    ['---------', null],
    ['---+', null],
    ['----+', 1],
    ['----++', 2],
    ['----++-', 1],
    ['----++--', 1],
    ['----++---', 1],
    ['----++----', 0],
    ['----++++++++', null],
    ['----------', 0],
    ['----------+', 1],
    ['-+-+-+-+-+-+-+-+-+-+-', null],
  ])('after %s lets so many attempts run at once: %s (null: all)', (outcomes, places) => {
    expect(tries(CLOSED, outcomes).places).toBe(places)
  })

  it('is probed only while many rows are pending', () => {
    const circuit = tries(CLOSED, '----------')
    expect([isProbed(circuit, MANY), isProbed(circuit, MANY - 1)]).toEqual([true, false])
    expect(isProbed(CLOSED, MANY)).toBe(false)
  })

  it('waits twice as long after each probe that failed, at most half a minute', () => {
    const waits = Array.from({ length: 9 }, (_, n) => probeWaitMs(n) / 1_000)
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30])
  })

  it('learns nothing of attempts that were under way when it was put to the probe', () => {
    const circuit = tries(CLOSED, '----------')
    const late = { delivered: false, startedAt: circuit.failedAt, endedAt: circuit.failedAt + 9, concurrency: 8 }
    expect(probesAt(afterTry(circuit, late))).toBe(probesAt(circuit))
  })

  it('goes on where another process was, with a probe at once', () => {
    const circuit = recalled({ failuresInARow: 12, recovering: false })
    expect(isProbed(circuit, MANY)).toBe(true)
    expect(probesAt(circuit)).toBeLessThan(Date.UTC(2020, 0))
    expect(recalled({ failuresInARow: 0, recovering: true }).places).toBe(1)
    expect(recalled({ failuresInARow: 9, recovering: false }).places).toBeNull()
  })

  it('is closed by as many successes as there are places, whatever came before', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('+', '-') }), fc.integer({ min: 1, max: 64 }), (before, most) => {
        expect(tries(CLOSED, before + '+'.repeat(most + 1), most)).toEqual(CLOSED)
      }),
    )
  })
})
