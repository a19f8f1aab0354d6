import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { killed, WAIT_BY_COMMAND } from './workplace.ts'
import { Yard } from './yard.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const PAUSE_SECONDS = 1_500

interface ShownWorker {
  readonly accounts: readonly string[]
}

test('a long wait rings once over several workers, and whoever takes the account over keeps to it', async () => {
  await using yard = await Yard.open({ accounts: ['a'], shipments: 2, every: '200ms' })
  const work = yard.workplace(await (await postgresDatabases()).take())
  const first = work.start('run')
  await first.prints(/worker\.joined/)
  await vi.waitFor(() => expect(yard.baselined).toBe(1), WAIT)
  const second = work.start('run')
  await second.prints(/worker\.joined/)
  const told = () => yard.receiver.events.map(({ type }) => type).filter((type) => type.startsWith('account.'))
  const platform = yard.platforms.get('a')?.platform
  if (platform === undefined) throw new Error('there is no platform')
  let asked = 0
  platform.replace = () => {
    asked += 1
    return new Response('', { status: 429, headers: { 'retry-after': String(PAUSE_SECONDS) } })
  }
  await vi.waitFor(() => expect(told()).toEqual(['account.baseline_completed', 'account.paused']), WAIT)
  const askedBefore = asked
  await killed(first)
  await vi.waitFor(async () => {
    const { workers }: { readonly workers: readonly ShownWorker[] } = JSON.parse(
      (await work.run('status', '--json')).stdout,
    )
    expect(workers.map(({ accounts }) => accounts)).toEqual([['a']])
  }, WAIT_BY_COMMAND)
  await delay(3_000)
  expect(asked).toBe(askedBefore)
  expect(told()).toEqual(['account.baseline_completed', 'account.paused'])
})
