import { expect, test, vi } from 'vitest'
import { changeFile } from '../cli/moved-store.ts'
import { Polling, shipments, WATCH } from './polling.ts'

const S = 1_000

test('a list whose changes the store refuses stalls after a minute, though another list comes through, until nothing is due', async () => {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices } })
  const { platform } = polling
  const stall = () => polling.poller.stall()
  platform.shipments = shipments(2)
  await polling.run(70 * S)
  changeFile(polling.file, `CREATE TRIGGER refused BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'not today'); END`)
  const [first = {}, ...others] = platform.shipments
  platform.shipments = [{ ...first, name: 'another' }, ...others]
  await polling.run(50 * S)
  expect(polling.lines.some(({ msg }) => msg === 'poll.failed')).toBe(true)
  expect(stall()).toBeNull()
  await polling.run(60 * S)
  expect(stall()).toMatchObject({ error: expect.stringContaining('not today') })
  platform.shipments = [first, ...others]
  await polling.run(70 * S)
  expect(stall()).toBeNull()
  platform.shipments = [{ ...first, name: 'another' }, ...others]
  await polling.run(130 * S)
  expect(stall()).not.toBeNull()
  changeFile(polling.file, 'DROP TRIGGER refused')
  await polling.run(70 * S)
  expect(stall()).toBeNull()
  expect(await polling.types()).toContain('shipment.updated')
})

test('a list whose pass failed with the whole store stalls no more once others are written, however long its next pass takes', async () => {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices } })
  const { clock, platform } = polling
  platform.shipments = shipments(12)
  await polling.run(70 * S)
  const taken = polling.store.commit.bind(polling.store)
  const commit = vi.spyOn(polling.store, 'commit').mockRejectedValue(new Error('away'))
  platform.shipments = platform.shipments.map((each) => ({ ...each, name: 'another' }))
  const stopped = new AbortController()
  const running = polling.poller.run(stopped.signal)
  await clock.advance(90 * S)
  expect(polling.lines.some(({ msg }) => msg === 'poll.failed')).toBe(true)
  platform.mostRows = 1
  platform.latencyMs = 20 * S
  commit.mockImplementation(taken)
  for (let step = 0; step < 20; step += 1) {
    await clock.advance(10 * S)
    expect(polling.poller.stall()).toBeNull()
  }
  stopped.abort()
  await clock.advance(0)
  await running
})

test.each(['startPass', 'countRequests', 'commit'] as const)(
  'a write that does not come back is a stall after some seconds: %s',
  async (method) => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    const { clock, platform, stalls, store } = polling
    platform.shipments = shipments(2)
    await polling.run(70 * S)
    const stall = () => stalls.problem([{ account: { name: 'acme' }, stall: () => null }])
    const lost = Promise.withResolvers<never>()
    const write = vi.spyOn(store, method).mockReturnValue(lost.promise)
    const stopped = new AbortController()
    const running = polling.poller.run(stopped.signal)
    for (let step = 0; step < 100 && write.mock.calls.length === 0; step += 1) await clock.advance(S)
    expect(stall()).toBeNull()
    await clock.advance(12 * S)
    expect(stall()).toMatch(/^What was read of .* could not be written since .*: the store does not answer a write$/)
    write.mockRestore()
    stopped.abort()
    lost.reject(new Error('away'))
    await clock.advance(S)
    await running
  },
)
