import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { queuedMs } from '../support/queued-ms.ts'
import type { RunningShipbell, Workplace } from '../support/shipbell.ts'
import { killed, stopped, WAIT_BY_COMMAND } from './workplace.ts'
import { BUDGET, PLACES, Yard } from './yard.ts'

const ACCOUNTS = ['a', 'b', 'c', 'd']
const WAIT = { timeout: 45_000, interval: 20 }
const TAKEN_OVER_WITHIN_MS = 25_000
const HANDED_OVER_WITHIN_MS = 3_000
const JOINED_WITHIN_MS = 30_000

interface ShownWorker {
  readonly id: string
  readonly accounts: readonly string[]
  readonly config_differs: boolean
}

let yard: Yard
let work: Workplace
let url: string

beforeEach(async () => {
  yard = await Yard.open({ accounts: ACCOUNTS, shipments: 5, every: '100ms' })
  url = await (await postgresDatabases()).take()
  work = yard.workplace(url)
})

afterEach(async () => {
  await yard[Symbol.asyncDispose]()
})

async function workers(): Promise<readonly ShownWorker[]> {
  const { stdout } = await work.run('status', '--json')
  const status: { readonly workers: readonly ShownWorker[] } = JSON.parse(stdout)
  return status.workers
}

/** Resolves once this many workers share all accounts evenly. */
async function shared(amount: number): Promise<void> {
  await vi.waitFor(async () => {
    const sizes = (await workers()).map(({ accounts }) => accounts.length)
    expect(sizes).toHaveLength(amount)
    expect(sizes.reduce((sum, each) => sum + each)).toBe(ACCOUNTS.length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  }, WAIT_BY_COMMAND)
}

async function start(): Promise<RunningShipbell> {
  const running = work.start('run')
  await running.prints(/worker\.joined/)
  return running
}

function changeAll(): void {
  for (const id of yard.ids) yard.change(id)
}

async function complete(): Promise<void> {
  await vi.waitFor(() => expect(yard.missing).toEqual([]), WAIT)
  expect(yard.faults).toEqual([])
}

function assertWithinLimits(): void {
  expect(yard.mostWithinWindow).toBeLessThanOrEqual(BUDGET.requests + BUDGET.concurrency)
  expect(yard.mostUnderWay).toBeLessThanOrEqual(PLACES)
}

interface Moment {
  readonly at: number
  /** Of this process and of workers that go on. */
  readonly queuedMs: () => number
}

function now(...others: readonly RunningShipbell[]): Moment {
  const pids = [process.pid, ...others.map(({ pid }) => pid)]
  const before = queuedMs(...pids)
  return { at: performance.now(), queuedMs: () => queuedMs(...pids) - before }
}

/** How long it took until every account was read again by whoever has it by then, less what those waited for a processor. */
async function readAgainMs(since: Moment): Promise<number> {
  const gaps = [...yard.platforms.values()].map(async ({ times }) => {
    const read = await vi.waitFor(() => {
      const next = times.find((at) => at > since.at + 300)
      expect(next).toBeDefined()
      return next ?? 0
    }, WAIT)
    return read - since.at
  })
  return Math.max(...(await Promise.all(gaps))) - since.queuedMs()
}

describe('several workers', () => {
  test('share the accounts, hand them over at once, and take over from one that is killed', async () => {
    const [first, second, third] = [await start(), await start(), await start()]
    await vi.waitFor(() => expect(yard.baselined).toBe(ACCOUNTS.length), WAIT)
    await shared(3)
    changeAll()
    await complete()
    const stopping = now(second, third)
    await stopped(first)
    expect(await readAgainMs(stopping)).toBeLessThan(HANDED_OVER_WITHIN_MS)
    await shared(2)
    changeAll()
    await killed(second)
    expect(await readAgainMs(now(third))).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await complete()
    await shared(1)
    const joining = now(third)
    await start()
    await shared(2)
    expect(performance.now() - joining.at - joining.queuedMs()).toBeLessThan(JOINED_WITHIN_MS)
    changeAll()
    await complete()
    assertWithinLimits()
  })

  test('each says of its own configuration that it was rejected, and one event rings for the same content', async () => {
    const others = yard.workplace(url)
    await start()
    await others.start('run').prints(/worker\.joined/)
    await shared(2)
    const good = readFileSync(path.join(work.folder, 'shipbell.yaml'), 'utf8')
    for (const each of [work, others]) each.write('shipbell.yaml', good.replace('order: subject', 'ordre: subject'))
    const shown = async (): Promise<readonly { worker: string; problems: readonly string[] }[]> => {
      const { code, stdout } = await work.run('status', '--json')
      const { configuration } = JSON.parse(stdout)
      expect(code).toBe(configuration.length === 0 ? 0 : 1)
      return configuration
    }
    await vi.waitFor(
      async () => expect(new Set((await shown()).map(({ worker }) => worker)).size).toBe(2),
      WAIT_BY_COMMAND,
    )
    expect((await shown())[0]?.problems[0]).toContain('did you mean `order`?')
    const { stdout } = await work.run('events', 'list', '--type', 'shipbell.configuration_rejected', '--json')
    expect(JSON.parse(stdout)).toHaveLength(1)
    others.write('shipbell.yaml', good)
    await vi.waitFor(async () => expect(await shown()).toHaveLength(1), WAIT_BY_COMMAND)
    work.write('shipbell.yaml', good)
    await vi.waitFor(async () => expect(await shown()).toEqual([]), WAIT_BY_COMMAND)
  })

  test('one that is stopped for 40 s and goes on does nothing that another does by now', async () => {
    const [first, second] = [await start(), await start()]
    await vi.waitFor(() => expect(yard.baselined).toBe(ACCOUNTS.length), WAIT)
    await shared(2)
    first.kill('SIGSTOP')
    const stopping = now(second)
    changeAll()
    expect(await readAgainMs(stopping)).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await complete()
    await delay(Math.max(0, 40_000 - (performance.now() - stopping.at)))
    changeAll()
    first.kill('SIGCONT')
    await first.prints(/worker\.lost/)
    await complete()
    await shared(2)
    changeAll()
    await complete()
    assertWithinLimits()
    expect(first.stderr).not.toMatch(/poll\.failed/)
  })
})
