import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { textField, type JsonObject } from '../../src/model/json.ts'
import { randomOf } from '../../src/sandbox/random.ts'
import type { LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'
import { ledgerOf } from './ledger-of.ts'
import { Stage } from './stage.ts'
import { baselined, configure, killed, stopped, WAIT, WAIT_BY_COMMAND } from './workplace.ts'

const SHIPMENTS = 150
const BACKUPS = 6

function shipment(number: number, name: string): JsonObject {
  return { platform_shipment_id: `SHP ${number}`, name, status: 'booked' }
}

/** Changes some records all the time, until it is disposed of. */
function changing(platform: LoopbackPlatform): Disposable {
  const random = randomOf('changes', 1)
  let tick = 0
  const timer = setInterval(() => {
    tick += 1
    const at = random.whole(0, SHIPMENTS - 1)
    platform.shipments = platform.shipments.map((each, nth) => (nth === at ? shipment(nth, `name ${tick}`) : each))
  }, 10)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** A backup every second, while the daemon is killed now and then, and its receiver fails now and then. */
async function backUpUnderLoad({ work, platform, receiver }: Stage): Promise<readonly string[]> {
  const random = randomOf('failures', 1)
  receiver.answer = () => (random.next() < 0.2 ? 500 : 200)
  const files: string[] = []
  let daemon = work.start('run')
  await baselined(receiver)
  using _ = changing(platform)
  for (let nth = 0; nth < BACKUPS; nth += 1) {
    await sleep(1_000)
    const [{ code, stderr }] = await Promise.all([
      work.run('backup', `copy-${nth}.db`),
      nth % 3 === 2 && killed(daemon),
    ])
    expect([code, stderr]).toEqual([0, ''])
    files.push(path.join(work.folder, `copy-${nth}.db`))
    if (nth % 3 === 2) {
      daemon = work.start('run')
      await daemon.prints(/poll\.completed/)
    }
  }
  await stopped(daemon)
  return files
}

/** Starts a daemon on a backup, beside a platform that stands still now, and a receiver that knows nothing. */
async function startFrom(file: string, platform: LoopbackPlatform): Promise<void> {
  const before = ledgerOf(file)
  using work = new Workplace()
  await using receiver = await LoopbackReceiver.start()
  configure(work, { platform: platform.url, receiver: receiver.url })
  expect(await work.run('restore', file)).toMatchObject({ code: 0, stderr: '' })
  const daemon = work.start('run')
  const due = before.filter(({ state }) => state === 'pending').map(({ id }) => id)
  const heard = (): ReadonlySet<string> => new Set(receiver.received.map(({ id }) => id))
  await vi.waitFor(() => expect(due.filter((id) => !heard().has(id))).toEqual([]), WAIT)
  await vi.waitFor(async () => expect(await namesOf(work)).toEqual(namesAt(platform)), WAIT_BY_COMMAND)
  const undelivered = async () => (await work.run('deliveries', 'list', '--undelivered')).code
  await vi.waitFor(async () => expect(await undelivered()).toBe(0), WAIT_BY_COMMAND)
  await stopped(daemon)
  const delivered = before.filter(({ state }) => state === 'delivered').map(({ id }) => id)
  expect(delivered.length).toBeGreaterThan(0)
  expect(delivered.filter((id) => heard().has(id))).toEqual([])
  expect(receiver.problems).toEqual([])
}

/** By shipment, the name that the store knows. */
async function namesOf(work: Workplace): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await work.run('records', 'list', 'shipment', '--json')
  const records: readonly { readonly id: string; readonly name: string }[] = JSON.parse(stdout)
  return Object.fromEntries(records.map(({ id, name }) => [id, name]))
}

function namesAt({ shipments }: LoopbackPlatform): Readonly<Record<string, unknown>> {
  return Object.fromEntries(shipments.map((each) => [textField(each, 'platform_shipment_id'), each['name']]))
}

test('a backup every second under load: a daemon on any of them repeats nothing that was told, and loses nothing that was due', async () => {
  await using stage = await Stage.open()
  stage.platform.shipments = Array.from({ length: SHIPMENTS }, (_, nth) => shipment(nth, 'as it was'))
  const files = await backUpUnderLoad(stage)
  expect(files.some((file) => ledgerOf(file).some(({ state }) => state === 'pending'))).toBe(true)
  for (const file of files) await startFrom(file, stage.platform)
  const partial = (await readdir(stage.work.folder)).filter((name) => name.includes('partial'))
  expect(partial).toEqual([])
})

test('what rang after the backup rings again, under the same id', async () => {
  await using stage = await Stage.open()
  const { work, platform, receiver } = stage
  platform.shipments = [shipment(1, 'as it was')]
  const daemon = await stage.startLearnt()
  expect((await work.run('backup', 'copy.db')).code).toBe(0)
  platform.shipments = [shipment(1, 'as it is')]
  await vi.waitFor(() => expect(receiver.events).toHaveLength(4), WAIT)
  const refused = await work.run('restore', 'copy.db')
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(`by process ${daemon.pid} on`) })
  await stopped(daemon)
  expect((await work.run('restore', 'copy.db')).code).toBe(0)
  const restored = work.start('run')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(5), WAIT)
  const [first, again] = receiver.received.slice(-2)
  expect(again?.id).toBe(first?.id)
  expect(again?.payload.subject.version).toBe(first?.payload.subject.version)
  await stopped(restored)
})
