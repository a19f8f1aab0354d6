import { startHttpServer, type HttpServer } from '../../../src/http-server.ts'
import { decode, type Message, type Schema, type Value } from './protobuf.ts'

// The parts of opentelemetry-proto 1 that are looked at: the numbers are those of trace.proto, metrics.proto and common.proto.
const VALUE: Schema = { 1: ['text', 'text'], 2: ['bool', 'bool'], 3: ['int', 'varint'], 4: ['double', 'double'] }
const ATTRIBUTE: Schema = { 1: ['key', 'text'], 2: ['value', VALUE] }
const RESOURCE: Schema = { 1: ['attributes', ATTRIBUTE, '[]'] }
const SCOPE: Schema = { 1: ['name', 'text'], 2: ['version', 'text'] }
const LINK: Schema = { 1: ['traceId', 'hex'], 2: ['spanId', 'hex'] }
const STATUS: Schema = { 2: ['message', 'text'], 3: ['code', 'varint'] }
const SPAN: Schema = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'varint'],
  7: ['startTime', 'fixed64'],
  8: ['endTime', 'fixed64'],
  9: ['attributes', ATTRIBUTE, '[]'],
  13: ['links', LINK, '[]'],
  15: ['status', STATUS],
}
const POINT: Schema = {
  2: ['startTime', 'fixed64'],
  3: ['time', 'fixed64'],
  4: ['double', 'double'],
  6: ['int', 'fixed64'],
  7: ['attributes', ATTRIBUTE, '[]'],
}
const HISTOGRAM_POINT: Schema = {
  2: ['startTime', 'fixed64'],
  3: ['time', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['counts', 'fixed64', '[]'],
  7: ['bounds', 'double', '[]'],
  9: ['attributes', ATTRIBUTE, '[]'],
}
const METRIC: Schema = {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', { 1: ['points', POINT, '[]'] }],
  7: ['sum', { 1: ['points', POINT, '[]'], 2: ['temporality', 'varint'], 3: ['isMonotonic', 'bool'] }],
  9: ['histogram', { 1: ['points', HISTOGRAM_POINT, '[]'], 2: ['temporality', 'varint'] }],
}
const REQUESTS: Readonly<Record<string, Schema>> = {
  '/v1/traces': {
    1: [
      'resources',
      { 1: ['resource', RESOURCE], 2: ['scopes', { 1: ['scope', SCOPE], 2: ['spans', SPAN, '[]'] }, '[]'] },
      '[]',
    ],
  },
  '/v1/metrics': {
    1: [
      'resources',
      { 1: ['resource', RESOURCE], 2: ['scopes', { 1: ['scope', SCOPE], 2: ['metrics', METRIC, '[]'] }, '[]'] },
      '[]',
    ],
  },
}

/** A collector on loopback that takes OTLP over HTTP as protobuf, and nothing else. */
export class Collector implements AsyncDisposable {
  readonly requests: { readonly path: string; readonly headers: Headers; readonly message: Message }[] = []
  readonly problems: string[] = []
  answer: () => number | Promise<number> = () => 200
  #server: HttpServer | null = null

  static async start(): Promise<Collector> {
    const collector = new Collector()
    const fetch = async (request: Request): Promise<Response> => await collector.#take(request)
    collector.#server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      purpose: 'The collector',
      remedy: '',
      fetch,
    })
    return collector
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  get spans(): readonly Message[] {
    return this.#inScopes('spans')
  }

  /** The metrics of the newest request, by name. */
  get metrics(): ReadonlyMap<string, Message> {
    const newest = this.requests.findLast(({ path }) => path === '/v1/metrics')
    const found = newest === undefined ? [] : inScopesOf(newest.message, 'metrics')
    return new Map(found.map((metric) => [textOf(metric, 'name'), metric]))
  }

  /** The attributes of all resources that were told of. */
  get resources(): readonly Readonly<Record<string, Value>>[] {
    return this.requests
      .flatMap(({ message }) => listOf(message, 'resources'))
      .map((each) => attributesOf(messageOf(each, 'resource')))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  #inScopes(what: string): readonly Message[] {
    return this.requests.flatMap(({ message }) => inScopesOf(message, what))
  }

  async #take(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname
    const schema = REQUESTS[path]
    const status = await this.answer()
    if (status !== 200) return new Response(null, { status })
    try {
      if (schema === undefined || request.method !== 'POST') throw new Error(`No ${request.method} ${path} here.`)
      if (request.headers.get('content-type') !== 'application/x-protobuf') throw new Error('That is no protobuf.')
      const message = decode(Buffer.from(await request.arrayBuffer()), schema)
      this.requests.push({ path, headers: request.headers, message })
      return new Response(null, { headers: { 'content-type': 'application/x-protobuf' } })
    } catch (error) {
      this.problems.push(String(error))
      return new Response(null, { status: 400 })
    }
  }
}

function inScopesOf(message: Message, what: string): readonly Message[] {
  return listOf(message, 'resources')
    .flatMap((resource) => listOf(resource, 'scopes'))
    .flatMap((scope) => listOf(scope, what))
}

export function listOf(message: Message, name: string): readonly Message[] {
  const list = message[name]
  return Array.isArray(list) ? list.filter((each): each is Message => typeof each === 'object') : []
}

export function messageOf(message: Message | undefined, name: string): Message {
  const value = message?.[name]
  return typeof value === 'object' && !Array.isArray(value) && !isList(value) ? value : {}
}

function isList(value: Message | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value)
}

function textOf(message: Message, name: string): string {
  const value = message[name]
  return typeof value === 'string' ? value : ''
}

/** Attributes by name, each with its value as JSON would have it. */
export function attributesOf(message: Message): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    listOf(message, 'attributes').map((each) => {
      const [value = ''] = Object.values(messageOf(each, 'value'))
      return [textOf(each, 'key'), typeof value === 'bigint' ? Number(value) : isScalar(value) ? value : '']
    }),
  )
}

function isScalar(value: Value | readonly Value[]): value is string | number | boolean {
  return typeof value !== 'object' && typeof value !== 'bigint'
}
