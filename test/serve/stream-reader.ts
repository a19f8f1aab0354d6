import { request } from 'undici'
import { expect, onTestFinished } from 'vitest'
import { field, type Json } from '../../src/model/json.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { type Desk, TOKEN } from './desk.ts'

interface Message {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: Json
}

/** A reader of Server-Sent Events, after the HTML standard (section 9.2). */
export class Reader {
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

/** Events of one shipment ring, one of each version. */
export async function rung(desk: Desk, ...versions: readonly number[]): Promise<void> {
  const events = versions.map((version) =>
    sampleEvent(`evt_${version}`, { subject: { resource: 'shipment', id: 'SHP-1', version, previousEventId: null } }),
  )
  await ring(desk.store, events, ['erp'])
}

/** Time goes on until it is so. */
export async function until(desk: Desk, isSo: () => boolean): Promise<void> {
  while (!isSo()) await desk.clock.advance(100)
}
