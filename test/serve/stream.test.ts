import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { field, type Json } from '../../src/model/json.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { Desk, SECRETS, TOKEN, VIEWER } from './desk.ts'

interface Message {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: Json
}

/** A reader of Server-Sent Events, after the HTML standard (section 9.2). */
class Reader {
  readonly messages: Message[] = []
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly status: number
  readonly ended: Promise<void>
  lastId = ''
  text = ''
  readonly #cut: AbortController

  private constructor(answer: Awaited<ReturnType<typeof request>>, cut: AbortController) {
    this.headers = answer.headers
    this.status = answer.statusCode
    this.#cut = cut
    this.ended = this.#read(answer.body.setEncoding('utf8')).catch(() => undefined)
  }

  static async open(desk: Desk, query = '', headers: Readonly<Record<string, string>> = {}): Promise<Reader> {
    const cut = new AbortController()
    onTestFinished(() => cut.abort())
    const all = { authorization: `Bearer ${TOKEN}`, ...headers }
    const reader = new Reader(
      await request(`${desk.url}/api/v1/stream${query}`, { headers: all, signal: cut.signal }),
      cut,
    )
    if (reader.status === 200) await expect.poll(() => reader.lastId).not.toBe('')
    return reader
  }

  get ids(): readonly (Json | undefined)[] {
    return this.messages.filter(({ event }) => event === 'event').map(({ data }) => field(data, 'id'))
  }

  cut(): void {
    this.#cut.abort()
  }

  async #read(body: AsyncIterable<string>): Promise<void> {
    let rest = ''
    for await (const chunk of body) {
      this.text += chunk
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]))
    const [data, event, id] = [fields.get('data'), fields.get('event'), fields.get('id')]
    this.lastId = id ?? this.lastId
    if (data !== undefined) this.messages.push({ event, id, data: JSON.parse(data) })
  }
}

async function rung(desk: Desk, ...versions: readonly number[]): Promise<void> {
  const events = versions.map((version) =>
    sampleEvent(`evt_${version}`, { subject: { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } }),
  )
  await ring(desk.store, events, ['erp'])
}

/** Time goes on until it is so. */
async function until(desk: Desk, isSo: () => boolean): Promise<void> {
  while (!isSo()) await desk.clock.advance(100)
}

test('shows events as they ring, without the record, and rows as they change', async () => {
  const desk = await Desk.open()
  const reader = await Reader.open(desk)
  expect(reader.headers['content-type']).toContain('text/event-stream')
  expect([reader.headers['x-accel-buffering'], reader.headers['cache-control']]).toEqual(['no', 'no-store'])
  await rung(desk, 1)
  await until(desk, () => reader.messages.length >= 2)
  expect(reader.ids).toEqual(['evt_1'])
  expect(reader.messages[0]).toMatchObject({ event: 'event', id: '1', data: { data: { from: 'draft' } } })
  expect(field(field(reader.messages[0]?.data, 'data'), 'object')).toBeUndefined()
  const delivery = { event_id: 'evt_1', subscription: 'erp', state: 'delivered', last_status: 200 }
  expect(reader.messages.at(-1)).toMatchObject({ event: 'delivery', id: undefined, data: delivery })
  for (const secret of SECRETS) expect(reader.text).not.toContain(secret)
})

test('goes on after a cut with exactly what was missed', async () => {
  const desk = await Desk.open()
  const first = await Reader.open(desk)
  const beside = await Reader.open(desk)
  await rung(desk, 1, 2, 3)
  await until(desk, () => first.ids.length === 3)
  first.cut()
  const missed = Array.from({ length: 250 }, (_, nth) => nth + 4)
  await rung(desk, ...missed)
  const second = await Reader.open(desk, '', { 'last-event-id': first.lastId })
  await rung(desk, 300)
  await until(desk, () => second.ids.length >= 251 && beside.ids.length >= 254)
  await desk.clock.advance(3_000)
  expect(second.ids).toEqual([...missed, 300].map((version) => `evt_${version}`))
  expect(beside.ids).toEqual([1, 2, 3, ...missed, 300].map((version) => `evt_${version}`))
})

test('who resumes from long ago is caught up page by page, with a pause for everything else after each', async () => {
  const desk = await Desk.open()
  await rung(desk, ...Array.from({ length: 350 }, (_, nth) => nth + 1))
  const headers = { 'last-event-id': '0' }
  const readers = [await Reader.open(desk, '', headers), await Reader.open(desk, '', headers)]
  await expect.poll(() => readers.map(({ ids }) => ids.length)).toEqual([100, 0])
  await until(desk, () => readers.every(({ ids }) => ids.length >= 350))
  await desk.clock.advance(3_000)
  expect(readers.map(({ ids }) => ids.length)).toEqual([350, 350])
})

test('beats while nothing happens, and the beat moves the place that is resumed from', async () => {
  const desk = await Desk.open()
  const reader = await Reader.open(desk, '?type=invoice.*')
  await rung(desk, 1, 2)
  await until(desk, () => reader.lastId === '2')
  expect(reader.ids).toEqual([])
  expect(reader.text).toMatch(/\n: \nid: 2\n\n$/)
})

test.each([
  ['?account=acme&type=shipment.*', 'event,delivery'],
  ['?account=other', ''],
  ['?type=invoice.*', ''],
  ['?subscription=erp', 'delivery'],
  ['?subscription=quiet', ''],
])('%s filters', async (query, kinds) => {
  const desk = await Desk.open()
  const [reader, all] = [await Reader.open(desk, query), await Reader.open(desk)]
  await rung(desk, 1)
  await until(desk, () => all.messages.length >= 2)
  await expect.poll(() => reader.messages.map(({ event }) => event).join(',')).toBe(kinds)
})

test('a place beyond the log is now; a malformed one is refused', async () => {
  const desk = await Desk.open()
  await rung(desk, 1)
  const reader = await Reader.open(desk, '', { 'last-event-id': '999' })
  await rung(desk, 2)
  await until(desk, () => reader.ids.length > 0)
  expect(reader.ids).toEqual(['evt_2'])
  expect((await Reader.open(desk, '', { 'last-event-id': 'x' })).status).toBe(422)
  expect((await Reader.open(desk, '', { authorization: 'Bearer x' })).status).toBe(401)
})

test('a stream ends with the token that opened it, and at once when the service stops', async () => {
  const desk = await Desk.open()
  const viewer = await Reader.open(desk, '', { authorization: `Bearer ${VIEWER}` })
  const admin = await Reader.open(desk)
  await desk.reload(`token: ${TOKEN}, viewer_token: another-viewer`)
  await desk.during(viewer.ended)
  await rung(desk, 1)
  await until(desk, () => admin.ids.length === 1)
  desk.stop()
  await admin.ended
  expect(viewer.ids).toEqual([])
})

test('there is place for 256, and a place that is left is free', async () => {
  const desk = await Desk.open()
  const readers = await Promise.all(Array.from({ length: 256 }, async () => await Reader.open(desk)))
  const refused = await desk.ask('/api/v1/stream', { token: TOKEN })
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  readers[0]?.cut()
  await expect.poll(async () => (await Reader.open(desk)).status).toBe(200)
  await rung(desk, 1)
  await until(desk, () => readers.slice(1).every(({ ids }) => ids.length === 1))
})

test('a reader that takes nothing is cut, and the others go on', async () => {
  const desk = await Desk.open()
  const other = await Reader.open(desk)
  const { hostname, port } = new URL(desk.url)
  const slow = connect(Number(port), hostname)
  const gone = once(slow, 'close')
  slow.on('error', () => undefined)
  slow.write(`GET /api/v1/stream HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`)
  await once(slow, 'readable')
  const previous = { text: 'x'.repeat(100_000) }
  for (let version = 1; version <= 200; version += 1) {
    const subject = { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } as const
    await ring(desk.store, [sampleEvent(`evt_${version}`, { subject, extras: previous })], [])
  }
  await until(desk, () => other.ids.length === 200)
  await desk.clock.advance(31_000)
  slow.resume()
  await gone
  await rung(desk, 999)
  await until(desk, () => other.ids.length === 201)
})
