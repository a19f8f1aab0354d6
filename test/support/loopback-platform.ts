import type { Hono } from 'hono'
import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { parseFaultRates } from '../../src/sandbox/fault-rates.ts'
import { faultSource } from '../../src/sandbox/fault-source.ts'
import { platformApp } from '../../src/sandbox/http/platform-app.ts'
import type { Shelf } from '../../src/sandbox/world/shelf.ts'

export const API_KEY = 'platform-key-0123456789'

/** The sandbox's HTTP interface over records that a test sets and changes; every answer can be replaced. */
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
    const none = shelf(() => [], 'id')
    return platformApp({
      world: {
        shipments: shelf(() => this.shipments, 'platform_shipment_id'),
        invoices: shelf(() => this.invoices, 'reference'),
        documents: none,
        purchaseOrders: none,
        locations: none,
        orderPreparations: none,
        tracking: { find: (id) => this.tracking.get(id) ?? null },
      },
      now: () => 0,
      apiKey: API_KEY,
      faults: faultSource({ rates: parseFaultRates('none'), seed: '' }),
    })
  }
}

function shelf(records: () => readonly JsonObject[], idField: string): Shelf {
  return {
    page: ({ skip, take }) => records().slice(skip, skip + take),
    find: (id) => records().find((each) => each[idField] === id) ?? null,
  }
}
