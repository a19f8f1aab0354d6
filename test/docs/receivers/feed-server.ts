import { startHttpServer, type HttpServer } from '../../../src/http-server.ts'
import type { Json } from '../../../src/model/json.ts'

export interface FeedItem {
  readonly position: number
  readonly event_id: string
  readonly state: string
  readonly payload: Json
}

/** The feed of the subscription `erp`, as a daemon answers it. */
export class FeedServer implements AsyncDisposable {
  /** The positions of the newest series, oldest first; what is left out is no longer kept. */
  items: readonly FeedItem[] = []
  series = 'k3v9'
  /** How many requests are answered with 503 before the next page. */
  isDown = 0
  /** What was asked for of the feed with the right token, and answered. */
  readonly asked: string[] = []
  readonly #token: string
  #server: HttpServer | null = null

  private constructor(token: string) {
    this.#token = token
  }

  static async start(token: string): Promise<FeedServer> {
    const feed = new FeedServer(token)
    const fetch = (request: Request): Response => feed.#answer(request)
    feed.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The feed', remedy: '', fetch })
    return feed
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  #answer(request: Request): Response {
    const { pathname, search, searchParams } = new URL(request.url)
    if (request.headers.get('authorization') !== `Bearer ${this.#token}`) return new Response(null, { status: 401 })
    if (pathname !== '/api/v1/subscriptions/erp/feed') return new Response(null, { status: 404 })
    if (this.isDown > 0) {
      this.isDown -= 1
      return new Response('<html>', { status: 503 })
    }
    this.asked.push(search)
    return Response.json(this.#page(Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit') ?? 50)))
  }

  #page(after: number, limit: number): Json {
    const rest = this.items.filter(({ position }) => position > after)
    const items = rest.slice(0, limit)
    const next = rest.length > limit ? (items.at(-1)?.position ?? null) : null
    const [first = null, head = 0] = [this.items[0]?.position, this.items.at(-1)?.position]
    return { series: this.series, items: items.map((item) => ({ ...item })), first, next, head }
  }
}
