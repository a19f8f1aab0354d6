import path from 'node:path'
import { expect, it } from 'vitest'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { Workplace } from '../support/shipbell.ts'
import { ledger } from './ledger.ts'

const ONE_LINE = '"$@" | { head -n 1; exec <&-; echo closed >&2; }; exit "${PIPESTATUS[0]}"'

/** Runs the program, of whose output one line is read. */
function place(): Workplace {
  const made = new Workplace()
  made.before = ['bash', '-c', ONE_LINE, 'read-one-line']
  return made
}

it('`status --watch` ends once nobody reads it, with the exit code of what it drew', async () => {
  const { cwd } = await ledger(async () => undefined)
  using reading = place()
  const { code, stdout, stderr } = await reading.run('status', '--watch', '-c', path.join(cwd, 'shipbell.yaml'))
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('No daemon runs.'), 'closed\n'])
})

it('`events list --follow` ends once nobody reads it', async () => {
  const { cwd, store: open } = await ledger(async (store) => ring(store, [sampleEvent('evt_1')], []))
  using reading = place()
  const following = reading.start(
    'events',
    'list',
    '--follow',
    '--since',
    '2020-01-01',
    '-c',
    path.join(cwd, 'shipbell.yaml'),
  )
  await following.prints(/closed/)
  await using store = open()
  await ring(store, [sampleEvent('evt_2', { timestamp: T + 2 })], [])
  expect(await following.ended).toMatchObject({ code: 0, stderr: 'closed\n' })
})
