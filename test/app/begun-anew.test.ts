import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Service } from '../../src/app.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { ofTest } from '../support/of-test.ts'

test('a store that was deleted is begun anew with a warning, said by status until all is learnt, under ids of its own', async () => {
  const platform = ofTest(await LoopbackPlatform.start())
  platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
  const account = `{ base_url: "${platform.url}", api_key: ${API_KEY}, watch: { shipments: {} } }`
  const cwd = scratchFolder({ 'shipbell.yaml': `accounts: { acme: ${account} }\nhttp: false\n` })
  const clock = new FakeClock()
  let lines = ''
  const log = createLogger({
    level: 'warn',
    pretty: false,
    colour: false,
    secrets: () => [],
    write: (line) => (lines += line),
  })
  const status = async () => JSON.parse((await runCommand(statusCommand, ['--json'], { cwd, clock })).stdout)
  const life = async (): Promise<readonly unknown[]> => {
    const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} }))
    const how = { live, clock, log, random: () => 0.5, command: 'run', progress: () => undefined }
    await using service = await Service.open(how)
    await service.follow({ file: 'shipbell.yaml', rejected: null, restart: [] })
    const before = await status()
    await service.once(new AbortController().signal)
    const { items } = await service.store.eventPage({ limit: 10 })
    return [before.needs.map(({ kind }: { kind: string }) => kind), (await status()).needs, items.map(({ id }) => id)]
  }
  const [before, after, first] = await life()
  expect([before, after, lines]).toEqual([[], [], ''])
  for (const name of ['', '-wal', '-shm']) rmSync(path.join(cwd, `shipbell.db${name}`), { force: true })
  await clock.advance(1_000)
  const [anew, learnt, second] = await life()
  expect([anew, learnt]).toEqual([['begun_anew'], []])
  expect(lines).toContain('store.begun_anew')
  expect(second).toHaveLength(1)
  expect(second).not.toEqual(first)
})
