import { expect, test } from 'vitest'
import { KeptReport } from '../../src/app/kept-report.ts'
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
