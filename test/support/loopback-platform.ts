import { Hono } from 'hono'
import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { JsonObject } from '../../src/model/json.ts'

export const API_KEY = 'platform-key-0123456789'

/** A platform on loopback whose records a test sets and changes; every answer can be replaced. */
export class LoopbackPlatform implements AsyncDisposable {
  shipments: JsonObject[] = []
  invoices: JsonObject[] = []
  readonly tracking = new Map<string, JsonObject>()
  /** Returned in place of the real answer where it is not null. */
  replace: (path: string) => Response | Promise<Response> | null = () => null
  requests = 0
  #server: HttpServer | null = null

  static async start(): Promise<LoopbackPlatform> {
    const platform = new LoopbackPlatform()
    const app = platform.#app()
    const fetch = async (request: Request): Promise<Response> => {
      platform.requests += 1
      const url = new URL(request.url)
      return (await platform.replace(url.pathname + url.search)) ?? app.fetch(request)
    }
    platform.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The platform', remedy: '', fetch })
    return platform
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  #app(): Hono {
    const app = new Hono()
    app.use(async (context, next) => {
      if (context.req.header('authorization') === `Bearer ${API_KEY}`) return next()
      return context.json({ message: 'Unauthorized' }, 401)
    })
    app.get('/v1/shipments', (context) => {
      const rows = page(this.shipments, context.req.query())
      return rows.length === 0 ? context.json({ message: 'No shipments found' }, 404) : context.json(rows)
    })
    app.get('/v1/invoices', (context) => context.json(page(this.invoices, context.req.query())))
    app.get('/v1/tracking/:id', (context) => {
      const found = this.tracking.get(context.req.param('id'))
      return found === undefined ? context.json({ message: 'Not found' }, 404) : context.json(found)
    })
    return app
  }
}

function page(records: readonly JsonObject[], query: Record<string, string>): readonly JsonObject[] {
  const skip = Number(query.skip ?? 0)
  return records.slice(skip, skip + Math.min(Number(query.take ?? 10), 100))
}
