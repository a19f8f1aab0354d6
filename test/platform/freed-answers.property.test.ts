import * as fc from 'fast-check'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentHashOf } from '../../src/model/content-hash.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { PlatformClient } from '../../src/platform/platform.ts'
import { runs } from '../support/runs.ts'
import { clientOf, FIRST_PAGE } from './client-of.ts'
import { loopback, type Loopback } from './loopback.ts'

interface Sent {
  readonly body: string
  /** Where it is cut, as shares of its length. */
  readonly cuts: readonly number[]
  readonly how: 'length' | 'chunked' | 'gzip'
}

/** What each path answers next. */
const next = new Map<number, Sent>()

const answer: RequestListener = (request, response) => {
  const skip = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('skip'))
  const { body, cuts, how } = next.get(skip) ?? { body: '[]', cuts: [], how: 'length' }
  const bytes = how === 'gzip' ? gzipSync(body) : Buffer.from(body)
  response.setHeader('content-type', 'application/json')
  if (how === 'gzip') response.setHeader('content-encoding', 'gzip')
  if (how === 'length') response.setHeader('content-length', bytes.length)
  const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)).toSorted((a, b) => a - b), bytes.length]
  const send = (at: number): void => {
    const [start = 0, end = 0] = [at === 0 ? 0 : ends[at - 1], ends[at]]
    if (at === ends.length - 1) response.end(bytes.subarray(start, end))
    else response.write(bytes.subarray(start, end), () => send(at + 1))
  }
  send(0)
}

function shipments(amount: number, width: number, mark: string): readonly JsonObject[] {
  return Array.from({ length: amount }, (_, row) => ({
    platform_shipment_id: `SHP-${row}`,
    name: `${mark}é${row}`.padEnd(width, '.'),
  }))
}

const sending = fc.record({
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
  how: fc.constantFrom('length', 'chunked', 'gzip'),
})
const page = fc.record({
  amount: fc.integer({ min: 1, max: 40 }),
  width: fc.integer({ min: 1, max: 12_000 }),
  sendings: fc.array(sending, { minLength: 3, maxLength: 3 }),
})

let server: Loopback
let platform: PlatformClient

beforeAll(async () => {
  server = await loopback(answer)
  platform = clientOf(server.url, { concurrency: 3 })
})

afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

describe('answers whose memory is freed at once', () => {
  test('are told from others, and read whole, however many are under way and however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 4 }), async (pages) => {
        await Promise.all(pages.map(async (each, at) => readTwiceAndChanged(each, at * 100)))
        // The pool that small buffers share is what it was.
        expect(Buffer.from('pooled').toString()).toBe('pooled')
      }),
      runs(8),
    )
  })
})

async function readTwiceAndChanged(
  { amount, sendings, width }: { amount: number; width: number; sendings: readonly Omit<Sent, 'body'>[] },
  skip: number,
): Promise<void> {
  const before = shipments(amount, width, 'a')
  const after = before.map((shipment, row) => (row % 3 === 0 ? { ...shipment, name: 'another' } : shipment))
  const understood = {
    ids: new Map(before.map((shipment, row) => [contentHashOf(JSON.stringify(shipment)), `SHP-${row}`])),
    certainIdField: 'platform_shipment_id',
  }
  const ask = async (body: readonly JsonObject[], turn: number, known: { contentHash: string; etag: null } | null) => {
    next.set(skip, { body: JSON.stringify(body), cuts: [], how: 'length', ...sendings[turn] })
    const outcome = await platform.list('shipment', { ...FIRST_PAGE, skip, known })
    if (outcome.kind !== 'ok') throw new Error(outcome.kind)
    const { value } = outcome
    if (value === 'unchanged' || !('read' in value)) return { ...outcome, rows: null }
    const page = await value.read(understood)
    if (page.kind !== 'ok') throw new Error(page.kind)
    return { ...outcome, rows: page.value.rows }
  }
  const first = await ask(before, 0, null)
  const known = { contentHash: first.validator?.contentHash ?? '', etag: null }
  expect((await ask(before, 1, known)).value).toBe('unchanged')
  const changed = await ask(after, 2, known)
  // Known rows are parsed only now, when the memory that they came in is long used for something else.
  for (const [outcome, rows] of [
    [first, before],
    [changed, after],
  ] as const) {
    if (outcome.rows === null) throw new Error('a changed page was taken for the known one')
    expect(outcome.rows.map(({ record }) => record)).toEqual(rows)
  }
}
