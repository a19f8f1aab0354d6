import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { PlatformClientOptions } from '../../src/platform/client.ts'
import { clientOf } from '../platform/client-of.ts'
import { onlyShipments } from './known-shipments.ts'
import { Polling, shipments } from './polling.ts'

function fields(amount: number, prefix = 'k'): string {
  return Array.from({ length: amount }, (_, index) => `"${prefix}${index}":${index}`).join(',')
}

function padded(index: number, rest: string): string {
  return `{"platform_shipment_id":"SHP-${index + 1}","name":"Shipment SHP-${index + 1}","status":"in_progress",${rest}}`
}

function rows(amount: number, rest: (index: number) => string, first = 0): string {
  return Array.from({ length: amount }, (_, index) => padded(first + index, rest(index))).join(',')
}

/** What each shows of the 100 known shipments, of which `changed` have another status. */
const PAGES: readonly (readonly [name: string, changed: number, body: () => string])[] = [
  ['2,000,000 unknown keys in a record', 99, () => `[${padded(0, fields(2_000_000))},${rows(99, () => '"x":1', 1)}]`],
  ['2,000,000 unknown keys in 100 records', 0, () => `[${rows(100, (at) => fields(20_000, `k${at}_`))}]`],
  ['150,000 unknown keys in 100 records', 100, () => `[${rows(100, (at) => fields(1_500, `k${at}_`))}]`],
  [
    '100 records of 125 kB, with 5,000 parts each',
    100,
    () => `[${rows(100, () => `"custom_parameters":[${'{"name":"a","value":"b"},'.repeat(5_000)}{}]`)}]`,
  ],
  ['a string of 60 MB', 99, () => `[${padded(0, `"x":"${'x'.repeat(60_000_000)}"`)},${rows(99, () => '"x":1', 1)}]`],
  ['100 strings of 600 kB', 100, () => `[${rows(100, () => `"specific_instructions":"${'x'.repeat(600_000)}"`)}]`],
  ['10,000 rows', 100, () => `[${rows(10_000, () => '"incoterm":"fob"')}]`],
  ['90,000 rows without an id', 0, () => `[${'{"a":1},'.repeat(90_000)}{}]`],
  ['10,000,000 empty rows', 0, () => `[${'{},'.repeat(10_000_000)}{}]`],
  ['60,000,000 brackets', 0, () => '['.repeat(60_000_000)],
  [
    'a record of 40,000,000 brackets',
    99,
    () => `[${padded(0, `"x":${'['.repeat(2e7)}${']'.repeat(2e7)}`)},${rows(99, () => '"x":1', 1)}]`,
  ],
  ['an object of 50 MB', 0, () => `{"message":"${'x'.repeat(50_000_000)}"}`],
  ['no JSON of 50 MB', 0, () => '<p>'.repeat(17_000_000)],
]

/** A platform in a thread of its own: what it takes to send is not measured. */
async function serving(body: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const body = Buffer.from(workerData)
     const server = require('node:http').createServer((request, response) =>
       response.end(request.url.includes('skip=0&') ? body : '[]'))
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true, workerData: body },
  )
  const [port]: unknown[] = await once(thread, 'message')
  return { url: `http://127.0.0.1:${String(port)}`, [Symbol.asyncDispose]: async () => void (await thread.terminate()) }
}

/** `/healthz` is promised within it; here the machine has other work, too. */
const LONGEST_MS = 1_000

test.each(PAGES)('a page of %s keeps nobody waiting', { timeout: 120_000 }, async (_, changed, make) => {
  await using polling = new Polling(onlyShipments)
  polling.platform.shipments = shipments(100)
  await polling.pass()
  await polling.clock.advance(10_000)
  await using server = await serving(make())
  const clock: PlatformClientOptions['clock'] = {
    now: () => polling.clock.now(),
    after: (ms, act) => systemClock.after(ms, act),
  }
  await using client = clientOf(server.url, { timeoutMs: 60_000, clock })
  const reader = polling.listPoller('shipments', client)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const ended = new AbortController()
  const passing = reader.pass(new AbortController().signal).finally(() => ended.abort())
  while (!ended.signal.aborted) {
    await sleep(5)
    if (polling.clock.nextWakeAt !== null) await polling.clock.advance(1_000)
  }
  await passing
  delay.disable()
  const types = await polling.types()
  expect(types.filter((type) => type === 'shipment.status_changed')).toHaveLength(changed)
  expect(types).not.toContain('shipment.removed')
  expect(delay.max / 1e6).toBeLessThan(LONGEST_MS)
})
