import { expect, test } from 'vitest'
import { changeFile } from '../cli/moved-store.ts'
import { Polling, shipments, WATCH } from './polling.ts'

const S = 1_000

test('a list whose changes the store refuses stalls after a minute, though another list comes through, until nothing is due', async () => {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices } })
  const { clock, platform } = polling
  const stall = () => polling.poller.stall(clock.monotonic())
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
