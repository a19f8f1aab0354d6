import type { Hono } from 'hono'
import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { ListedResource } from '../../src/model/resource.ts'
import type { FetchedResource } from '../../src/platform/platform.ts'
import { parseFaultRates } from '../../src/sandbox/fault-rates.ts'
import { faultSource } from '../../src/sandbox/fault-source.ts'
import { platformApp } from '../../src/sandbox/http/platform-app.ts'
import type { Shelf } from '../../src/sandbox/world/shelf.ts'
import { PlatformRecords } from './platform-records.ts'

export const API_KEY = 'platform-key-0123456789'

/** The sandbox's HTTP interface over records that a test sets and changes; every answer can be replaced. */
export class LoopbackPlatform extends PlatformRecords implements AsyncDisposable {
  /** Returned in place of the real answer where it is not null. */
  replace: (path: string) => Response | null | Promise<Response | null> = () => null
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
    return platformApp({
      world: {
        shipments: this.#shelf('shipment'),
        invoices: this.#shelf('invoice'),
        documents: this.#shelf('document'),
        purchaseOrders: this.#shelf('purchase_order'),
        locations: this.#shelf('location'),
        orderPreparations: this.#drawer('order_preparation'),
        tracking: this.#drawer('tracking'),
      },
      now: () => 0,
      apiKey: API_KEY,
      faults: faultSource({ rates: parseFaultRates('none'), seed: '' }),
    })
  }

  #shelf(resource: ListedResource): Shelf {
    return { ...this.#drawer(resource), page: ({ skip, take }) => this.listed(resource).slice(skip, skip + take) }
  }

  #drawer(resource: FetchedResource): Pick<Shelf, 'find'> {
    return { find: (id) => this.held(resource, id) ?? null }
  }
}
