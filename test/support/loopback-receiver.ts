import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { JsonObject } from '../../src/model/json.ts'

export const SECRET = `whsec_${Buffer.from('a test secret of 32 bytes length').toString('base64')}`

export interface Received {
  readonly id: string
  readonly payload: JsonObject & {
    readonly type: string
    readonly sequence: number
    readonly subject: { resource: string; id: string; version: number; previous_event_id: string | null }
  }
}

/** A subscriber on loopback that checks every signature with two independent verifiers. */
export class LoopbackReceiver implements AsyncDisposable {
  readonly received: Received[] = []
  readonly problems: string[] = []
  /** Requests with a good signature, whatever they were answered. */
  asked = 0
  /** What it verifies with. */
  secret = SECRET
  /** The status for the nth delivery, from 0. */
  answer: (index: number) => number | Promise<number> = () => 200
  #server: HttpServer | null = null

  static async start(): Promise<LoopbackReceiver> {
    const receiver = new LoopbackReceiver()
    const fetch = async (request: Request): Promise<Response> => receiver.#take(request)
    receiver.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The receiver', remedy: '', fetch })
    return receiver
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  /** Each event once, in the order of the account's sequence. */
  get events(): readonly Received['payload'][] {
    const unique = new Map(this.received.map(({ id, payload }) => [id, payload]))
    return [...unique.values()].sort((a, b) => a.sequence - b.sequence)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  async #take(request: Request): Promise<Response> {
    const body = await request.text()
    const headers = Object.fromEntries(request.headers)
    try {
      new StandardWebhook(this.secret).verify(body, headers)
      new SvixWebhook(this.secret).verify(body, headers)
    } catch (error) {
      this.problems.push(String(error))
      return new Response(null, { status: 401 })
    }
    this.asked += 1
    const status = await this.answer(this.received.length)
    if (status < 300) this.received.push({ id: headers['webhook-id'] ?? '', payload: JSON.parse(body) })
    return new Response(null, { status })
  }
}
