import { expect, test } from 'vitest'
import { KeptReport } from '../../src/operate/kept-report.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'

const TEXT =
  'accounts: { acme: { base_url: https://acme.example, api_key: k, watch: { shipments: {} } } }\nsubscriptions: {}\n'

function config() {
  return requireConfig('shipbell.yaml', { cwd: scratchFolder({ 'shipbell.yaml': TEXT }), env: {} })
}

function reported(outcomes: readonly (number | Error)[]) {
  const clock = new FakeClock()
  const live = new LiveConfig(config())
  const left = [...outcomes]
  const make = async (): Promise<number> => {
    const next = left.shift() ?? new Error('made too often')
    if (typeof next === 'number') return next
    throw next
  }
  return { clock, live, left, report: new KeptReport({ live, clock, make }) }
}

test('is made once for all who ask within half a minute', async () => {
  const { clock, report } = reported([1])
  expect(await Promise.all([report.get(), report.get()])).toEqual([1, 1])
  await clock.advance(29_999)
  expect(await report.get()).toBe(1)
})

test('is handed out as it is while another is made, and is never older than five', async () => {
  const { clock, report } = reported([1, 2, 3])
  await report.get()
  await clock.advance(30_000)
  expect(await Promise.all([report.get(), report.get()])).toEqual([1, 1])
  await clock.advance(1)
  expect(await report.get()).toBe(2)
  await clock.advance(300_000)
  expect(await report.get()).toBe(3)
})

test('is waited for no longer than patience lasts: the last one is shown then, if there is one', async () => {
  const { clock, live } = reported([])
  const made = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const left = made.values()
  const report = new KeptReport({ live, clock, make: async () => (await left.next().value?.promise) ?? 0 })
  const first = report.within(100)
  await clock.advance(100)
  expect(await first).toBe(null)
  made[0]?.resolve(1)
  expect(await report.within(100)).toBe(1)
  await clock.advance(300_000)
  const second = report.within(100)
  await clock.advance(100)
  expect(await second).toBe(1)
  made[1]?.resolve(2)
  expect(await report.within(100)).toBe(2)
})

test('the last one is shown where none can be made', async () => {
  const { clock, report } = reported([1, new Error('away')])
  expect(await report.within(100)).toBe(1)
  await clock.advance(300_000)
  expect(await report.within(100)).toBe(1)
  await expect(reported([new Error('away')]).report.within(100)).rejects.toThrow('away')
})

test('is made anew under another configuration', async () => {
  const { live, report } = reported([1, 2])
  await report.get()
  live.replace(config())
  expect(await report.get()).toBe(2)
})

test('a failure is told to who waits for it, and to nobody else', async () => {
  const { clock, report } = reported([new Error('away'), 1, new Error('away'), 2])
  await expect(report.get()).rejects.toThrow('away')
  expect(await report.get()).toBe(1)
  await clock.advance(30_000)
  expect(await report.get()).toBe(1)
  await clock.advance(1)
  expect(await report.get()).toBe(1)
  await clock.advance(1)
  expect(await report.get()).toBe(2)
})
