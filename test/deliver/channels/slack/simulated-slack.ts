import { once } from 'node:events'
import { z } from 'zod'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A message as Slack keeps it. */
export interface KeptMessage {
  readonly ts: string
  readonly channel: string
  readonly thread_ts?: string
  readonly text: string
  readonly blocks: readonly Record<string, unknown>[]
  readonly metadata: { readonly event_type: string; readonly event_payload: Readonly<Record<string, string>> }
}

export interface ApiCall {
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What becomes of a call in place of its answer: `taken, cut`: it is done, and nobody hears of it. */
export type Fault =
  | 'taken, cut'
  | 'cut'
  | { readonly error: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

/** What is used here of the arguments of the methods; a strange one is refused. */
const JSON_ARGS = z.looseObject({
  channel: z.string(),
  text: z.string().max(40_000),
  blocks: z.array(z.record(z.string(), z.unknown())).max(50),
  metadata: z.strictObject({ event_type: z.string(), event_payload: z.record(z.string(), z.string()) }),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
})
const QUERY = z.looseObject({
  channel: z.string(),
  ts: z.string().optional(),
  cursor: z.string().optional(),
  include_all_metadata: z.literal('true'),
})
type Args = z.infer<typeof JSON_ARGS>

const TOKEN = 'xoxb-simulated-token'

/** The part of Slack's Web API that keeps messages, on loopback: it limits, forgets, archives, and cuts after taking, as a test says. */
export class SimulatedSlack implements AsyncDisposable {
  readonly token = TOKEN
  readonly calls: ApiCall[] = []
  messages: KeptMessage[] = []
  /** An error that every call gets; null: none. */
  broken: string | null = null
  readonly #faults = new Map<string, Fault[]>()
  readonly #server: Server
  #stamped = 0

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<SimulatedSlack> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new SimulatedSlack(server)
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/api`
  }

  /** The next call of a method fails so. */
  fail(method: string, fault: Fault): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), fault])
  }

  /** The messages in the channel, and those in the thread of one of them. */
  get tops(): readonly KeptMessage[] {
    return this.messages.filter(({ thread_ts }) => thread_ts === undefined)
  }

  thread({ ts }: Pick<KeptMessage, 'ts'>): readonly KeptMessage[] {
    return this.messages.filter(({ thread_ts }) => thread_ts === ts)
  }

  callsOf(method: string): readonly ApiCall[] {
    return this.calls.filter((call) => call.method === method)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '', 'http://x')
    const method = url.pathname.replace('/api/', '')
    const isLook = request.method === 'GET'
    const args = isLook
      ? QUERY.parse(Object.fromEntries(url.searchParams))
      : JSON_ARGS.parse(JSON.parse(Buffer.concat(chunks).toString()))
    this.calls.push({ method, args })
    const fault = this.#faults.get(method)?.shift()
    if (fault === 'cut') return void request.socket.destroy()
    if (fault !== undefined && fault !== 'taken, cut' && 'status' in fault)
      return void response.writeHead(fault.status, fault.headers).end('{"ok":false,"error":"ratelimited"}')
    const isRefused = fault !== undefined && fault !== 'taken, cut'
    const done = isRefused ? { ok: false, error: fault.error } : this.#done({ method, args }, request.headers)
    if (fault === 'taken, cut') return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done))
  }

  #done({ args, method }: ApiCall, { authorization }: IncomingMessage['headers']): Record<string, unknown> {
    if (authorization !== `Bearer ${TOKEN}`) return { ok: false, error: 'invalid_auth' }
    if (this.broken !== null) return { ok: false, error: this.broken }
    if (method === 'chat.postMessage') return this.#post(JSON_ARGS.parse(args))
    return method === 'chat.update' ? this.#change(JSON_ARGS.parse(args)) : this.#history(QUERY.parse(args))
  }

  #post(args: Args): Record<string, unknown> {
    this.#stamped += 1
    const ts = `${Math.floor(Date.now() / 1_000)}.${String(this.#stamped).padStart(6, '0')}`
    const { channel, text, blocks, metadata, thread_ts } = args
    this.messages.push({ ts, channel, text, blocks, metadata, ...(thread_ts !== undefined && { thread_ts }) })
    return { ok: true, channel, ts, message: { text, blocks } }
  }

  #change({ blocks, channel, metadata, text, ts }: Args): Record<string, unknown> {
    const place = this.messages.findIndex((each) => each.ts === ts && each.channel === channel)
    const known = this.messages[place]
    if (known === undefined) return { ok: false, error: 'message_not_found' }
    this.messages = this.messages.with(place, { ...known, text, blocks, metadata })
    return { ok: true, channel, ts, text }
  }

  /** A page of two, so that somebody who looks for something has to turn pages. */
  #history({ channel, cursor = '0', ts }: z.infer<typeof QUERY>): Record<string, unknown> {
    const all = this.messages.filter(
      (each) => each.channel === channel && (ts === undefined ? each.thread_ts === undefined : each.thread_ts === ts),
    )
    const from = Number(cursor)
    const next = from + 2 < all.length ? String(from + 2) : ''
    const messages = all.toReversed().slice(from, from + 2)
    return { ok: true, messages, has_more: next !== '', response_metadata: { next_cursor: next } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
