import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished, describe, expect, test } from 'vitest'
import { Service } from '../../src/app.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder } from '../config/scratch.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { ofTest } from '../support/of-test.ts'

const NEVER = new AbortController().signal
const MINUTE = 60_000

/** A service that reads once when asked, and a file with all or some of its subscriptions. */
async function world() {
  const clock = new FakeClock(Date.now())
  const [platform, receiver] = [ofTest(await LoopbackPlatform.start()), ofTest(await LoopbackReceiver.start())]
  const cwd = scratchFolder()
  putEmptyStore(path.join(cwd, 'shipbell.db'))
  let shown = 0
  const show = (): void => {
    shown += 1
    platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked', name: `name ${shown}` }]
  }
  const write = (names: readonly string[], more = ''): void => {
    const account = `{ base_url: "${platform.url}", api_key: ${API_KEY}, watch: { shipments: {} } }`
    const each = names.map(
      (name) => `  ${name}: { url: "${receiver.url}/${name}", secret: ${SECRET}, events: ["*"]${more} }`,
    )
    const lines = ['accounts:', `  acme: ${account}`, ...(names.length === 0 ? [] : ['subscriptions:', ...each])]
    writeFileSync(
      path.join(cwd, 'shipbell.yaml'),
      [...lines, 'http: false', 'delivery: { allow_networks: [127.0.0.0/8] }\n'].join('\n'),
    )
  }
  const load = () => requireConfig('shipbell.yaml', { cwd, env: {} })
  write(['erp', 'tms'])
  show()
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const live = new LiveConfig(load())
  const service = await Service.open({ live, clock, log, random: () => 0.5, command: 'run', progress: () => undefined })
  onTestFinished(async () => await service[Symbol.asyncDispose]())
  await service.once(NEVER)
  return {
    clock,
    cwd,
    service,
    configure: async (names: readonly string[], more = '') => {
      write(names, more)
      await service.reload(load())
    },
    change: async () => {
      show()
      await service.once(NEVER)
    },
    rows: async (subscription: string) => {
      const { items } = await service.store.deliveryPage({ subscription, limit: 50 })
      return items.map(({ state }) => state).toReversed()
    },
    discard: async (name: string) => await runCommand(subscriptionsCommand, ['discard', name], { cwd, clock }),
  }
}

describe('a subscription that a file lost', () => {
  test('gets what rings, held, and is sent it once it is back', async () => {
    const { change, configure, rows } = await world()
    await configure(['erp'])
    await change()
    await configure([])
    await change()
    expect([await rows('erp'), await rows('tms')]).toEqual([
      ['delivered', 'held'],
      ['held', 'held'],
    ])
    await configure(['erp', 'tms'])
    await change()
    expect([await rows('erp'), await rows('tms')]).toEqual([
      ['delivered', 'delivered', 'delivered'],
      ['delivered', 'delivered', 'delivered'],
    ])
  })

  test('gets nothing more after ten minutes, and is sent what it has once it is back', async () => {
    const { change, clock, configure, rows } = await world()
    await configure(['erp'])
    clock.jump(clock.now() + 10 * MINUTE - 1)
    await change()
    clock.jump(clock.now() + 1)
    await change()
    expect(await rows('tms')).toEqual(['held'])
    await configure(['erp', 'tms'])
    await change()
    // Two: receivers do not take what is signed so far from their own time.
    expect(await rows('tms')).toEqual(['pending', 'pending'])
  })

  test('has its ten minutes from when it was lost, whatever is reloaded meanwhile', async () => {
    const { change, clock, configure, rows } = await world()
    await configure(['erp'])
    clock.jump(clock.now() + 6 * MINUTE)
    await configure(['erp', 'other'])
    clock.jump(clock.now() + 6 * MINUTE)
    await change()
    expect([await rows('tms'), await rows('other')]).toEqual([[], ['pending']])
  })

  test.each([
    ['', 'enabled'],
    [', enabled: false', 'disabled in the file'],
  ])('gets nothing more once it is discarded, by whichever process: one that was%s %s', async (more) => {
    const { change, configure, discard, rows, service } = await world()
    await configure(['erp', 'tms'], more)
    await configure(['erp'])
    await service.follow({ file: 'shipbell.yaml', rejected: null, restart: [] })
    await change()
    expect(await rows('tms')).toEqual(['held'])
    expect(await discard('tms')).toMatchObject({ exitCode: 0 })
    await service.follow({ file: 'shipbell.yaml', rejected: null, restart: [] })
    await change()
    expect(await rows('tms')).toEqual(['discarded'])
    await configure(['erp', 'tms'])
    await change()
    await configure(['erp'])
    await service.follow({ file: 'shipbell.yaml', rejected: null, restart: [] })
    await change()
    expect(await rows('tms')).toEqual(['discarded', 'delivered', 'held'])
  })
})
