import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished, describe, expect, test } from 'vitest'
import { Service } from '../../src/app.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import type { ConfigurationState } from '../../src/model/configuration-state.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder } from '../config/scratch.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { ofTest } from '../support/of-test.ts'

const NEVER = new AbortController().signal
const WELL: ConfigurationState = { file: 'shipbell.yaml', rejected: null, restart: [] }
const TOKEN = 'the-token-of-this-test'

function rejectedFor(digest: string, ...problems: readonly string[]): ConfigurationState {
  return { ...WELL, rejected: { digest, problems } }
}

function yamlFor({ url }: LoopbackReceiver): string {
  return [
    'accounts: {}',
    'subscriptions:',
    `  ops: { url: "${url}/ops", secret: ${SECRET}, events: [invoice.due] }`,
    `  all: { url: "${url}/all", secret: ${SECRET}, events: ["*"] }`,
    `  own: { url: "${url}/own", secret: ${SECRET}, events: ["shipbell.*"], accounts: [] }`.replace(
      ', accounts: []',
      '',
    ),
    'delivery: { alert: ops, allow_networks: [127.0.0.0/8] }',
    `http: { listen: "127.0.0.1:0", token: ${TOKEN} }\n`,
  ].join('\n')
}

async function world() {
  const clock = new FakeClock(Date.now())
  const receiver = ofTest(await LoopbackReceiver.start())
  const cwd = scratchFolder({ 'shipbell.yaml': yamlFor(receiver) })
  putEmptyStore(path.join(cwd, 'shipbell.db'))
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  const open = async (): Promise<Service> => {
    const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} }))
    return await Service.open({ live, clock, log, random: () => 0.5, command: 'run', progress: () => undefined })
  }
  const service = await open()
  onTestFinished(async () => await service[Symbol.asyncDispose]())
  const url = (await service.serve())?.url ?? ''
  const ask = async (at: string) => await fetch(`${url}${at}`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return {
    cwd,
    receiver,
    service,
    ask,
    status: async () => {
      const { exitCode, stdout } = await runCommand(statusCommand, ['--json'], { cwd, clock })
      return { exitCode, ...JSON.parse(stdout) }
    },
    said: async () => (await runCommand(statusCommand, [], { cwd, clock })).stdout.replaceAll(/\s+/g, ' '),
    metric: async () => {
      // Who asks again at once is shown the same moment.
      clock.jump(clock.now() + 60_000)
      return /^shipbell_config_rejected (\d)$/m.exec(await (await ask('/metrics')).text())?.[1]
    },
    rung: async () => {
      await service.once(NEVER)
      const { items } = await service.store.deliveryPage({ limit: 50 })
      return items.map(({ eventId, state, subscription }) => ({ eventId, state, subscription }))
    },
  }
}

describe('a configuration that was rejected', () => {
  test('is said by status, desk, API and metric until it is mended', async () => {
    const { ask, metric, said, service, status } = await world()
    expect([await status(), await metric()]).toMatchObject([{ exitCode: 0, configuration: [], needs: [] }, '0'])
    const problems = ['shipbell.yaml:3:1: unknown key `x`', 'conf.d/a.yaml:2:2: and another']
    await service.follow(rejectedFor('one', ...problems))
    const shown = [
      { worker: null, pid: process.pid, file: 'shipbell.yaml', rejected: true, problems, restart_keys: [] },
    ]
    const needs = [{ kind: 'rejected', urgent: true, what: expect.stringContaining('shipbell.yaml:3:1: unknown key') }]
    expect(await status()).toMatchObject({ exitCode: 1, configuration: shown, needs })
    expect(await said()).toContain('stays in force: shipbell.yaml:3:1: unknown key `x` (and 1 more).')
    expect(await (await ask('/api/v1/status')).json()).toMatchObject({ configuration: shown, needs })
    expect(await (await ask('/system')).text()).toContain('configuration rejected')
    expect(await (await ask('/')).text()).toMatch(/Shipbell itself needs somebody:\s.*shipbell\.yaml:3:1: unknown key/)
    expect(await metric()).toBe('1')
    await service.follow(WELL)
    expect([await status(), await metric()]).toMatchObject([{ exitCode: 0, configuration: [], needs: [] }, '0'])
  })

  test('rings once per content of its files, to the alert and to who names it', async () => {
    const { receiver, rung, service } = await world()
    await service.follow(rejectedFor('one', 'a', 'b'))
    await service.follow(rejectedFor('one', 'a', 'b'))
    await service.follow(WELL)
    await service.follow(rejectedFor('one', 'a', 'b'))
    const first = await rung()
    expect(first.map(({ state, subscription }) => `${subscription} ${state}`).toSorted()).toEqual([
      'ops delivered',
      'own delivered',
    ])
    expect(new Set(first.map(({ eventId }) => eventId)).size).toBe(1)
    expect(receiver.events[0]).toMatchObject({
      type: 'shipbell.configuration_rejected',
      account: null,
      sequence: 1,
      subject: { resource: 'configuration', id: 'shipbell', version: 1, previous_event_id: null },
      data: { file: 'shipbell.yaml', problems: ['a', 'b'], more: 0 },
    })
    await service.follow(rejectedFor('two', ...Array.from({ length: 50 }, (_, nth) => `problem ${nth}`)))
    await service.follow(rejectedFor('one', 'a', 'b'))
    expect((await rung()).length).toBe(4)
    expect(receiver.events.at(-1)).toMatchObject({
      subject: { version: 2, previous_event_id: first[0]?.eventId },
      data: { problems: { length: 20 }, more: 30 },
    })
  })

  test('is said although the file cannot be read to its end', async () => {
    const { cwd, service, status } = await world()
    await service.follow(rejectedFor('one', 'shipbell.yaml:1:11: broken'))
    for (const text of [
      'accounts: { acme: {',
      'accounts: {}\n\t- x',
      '',
      'storage: { path: shipbell.db }\naccounts: {{',
    ]) {
      writeFileSync(path.join(cwd, 'shipbell.yaml'), text)
      expect(await status()).toMatchObject({ exitCode: 1, needs: [{ kind: 'rejected' }] })
    }
  })
})

test('a key that waits for a restart is said by status', async () => {
  const { said, service, status } = await world()
  await service.follow({ ...WELL, restart: ['storage', 'http'] })
  expect(await status()).toMatchObject({
    exitCode: 1,
    configuration: [{ rejected: false, restart_keys: ['storage', 'http'] }],
    needs: [{ kind: 'restart', urgent: true }],
  })
  expect(await said()).toContain('shipbell.yaml has another `storage` and `http`, which only a restart puts in force.')
})
