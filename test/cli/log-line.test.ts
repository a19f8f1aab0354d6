import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { logLines } from '../../src/cli/log-line.ts'

const AT = new Date(2026, 10, 21, 8, 0, 2).getTime()

function lineOf(fields: object, colour = false): string {
  return logLines({ colour })(JSON.stringify({ level: 30, time: AT, ...fields }))
}

describe('a log line on a terminal', () => {
  it('says when, what, of what, figures and what comes next, and nothing where nothing is', () => {
    const pass = { complete: true, pages: 2, rows: 101, rejected: 0, changed: 3, held: false, duration_ms: 1_132 }
    expect(lineOf({ account: 'acme', resource: 'shipments', ...pass, msg: 'poll.completed' })).toBe(
      '08:00:02  poll.completed       acme shipments  complete, pages 2, rows 101, changed 3, not held, in 1s132ms\n',
    )
    const attempt = {
      delivery: 'dlv_1',
      event: 'evt_1',
      subscription: 'erp',
      type: 'invoice.due',
      attempt: 1,
      status: 500,
    }
    const failed = { error: 'The receiver answered 500.', next: 'retry', retry_in_ms: 5_000 }
    expect(lineOf({ level: 40, ...attempt, ...failed, msg: 'delivery.attempted' })).toBe(
      '08:00:02  delivery.attempted   erp invoice.due  event evt_1, attempt 1, status 500, retry in 5s  The receiver answered 500.; retry\n',
    )
  })

  it('has colours for warnings and errors alone, and only where they are wanted', () => {
    expect(lineOf({ level: 50, msg: 'store.lost' }, true)).toContain('\u001B[31mstore.lost')
    expect(stripVTControlCharacters(lineOf({ msg: 'run.stopped' }, true))).toBe('08:00:02  run.stopped\n')
  })

  it('stays one line, whatever a value holds', () => {
    const line = lineOf({
      msg: 'poll.failed',
      account: 'a\nb',
      error: 'x\n08:00:02  run.stopped\u202e',
      list: ['1\r', { deep: 2 }],
    })
    expect(line.trimEnd().split('\n')).toHaveLength(1)
    expect(line).toContain(String.raw`x\x0a08:00:02`)
  })
})
