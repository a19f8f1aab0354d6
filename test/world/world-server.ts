import type { Hono } from 'hono'
import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { parseFaultRates, type FaultRates } from '../../src/sandbox/fault-rates.ts'
import { faultSource, type FaultSource } from '../../src/sandbox/fault-source.ts'
import { platformApp } from '../../src/sandbox/http/platform-app.ts'
import type { Random } from '../../src/sandbox/random.ts'
import type { Shelf } from '../../src/sandbox/world/shelf.ts'
import { Desk } from './desk.ts'
import type { AnyFacts } from './facts.ts'
import { render } from './render.ts'
import type { Kind, Row, World } from './world.ts'

export const WORLD_KEY = 'world-key-0123456789'

export interface Exhibition {
  readonly world: World
  readonly random: Random
  /** The most rows of a page. */
  readonly mostRows: number
}

/** The sandbox's HTTP interface over a world that another one may replace at any time. */
export class WorldServer implements AsyncDisposable {
  desk: Desk | null = null
  /** Probability of a list's row to be shown as something that nobody can understand. */
  spoilt = 0
  /** What its answers are dated by. */
  now: () => number = () => Date.now()
  /** Told of every request before it is answered. */
  onRequest: (path: string) => void = () => undefined
  readonly #pages = new Map<Kind, readonly Row[]>()
  readonly #items = new Map<string, AnyFacts | null>()
  #faults: FaultSource = faultSource({ rates: parseFaultRates('none'), seed: '' })
  #shown: Exhibition | null = null
  #app: Hono | null = null
  #server: HttpServer | null = null

  static async start(): Promise<WorldServer> {
    const platform = new WorldServer()
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      platform.onRequest(pathname + search)
      const answer = (await platform.#app?.fetch(request)) ?? new Response(null, { status: 503 })
      answer.headers.set('date', new Date(platform.now()).toUTCString())
      return answer
    }
    platform.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The world', remedy: '', fetch })
    return platform
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  /** Serves this world from now on. */
  show(exhibition: Exhibition): void {
    this.#shown = exhibition
    this.desk = new Desk(exhibition.world)
    this.#app = platformApp({
      world: {
        shipments: this.#list('shipment'),
        invoices: this.#list('invoice'),
        documents: this.#list('document'),
        purchaseOrders: this.#list('purchase_order'),
        locations: this.#list('location'),
        tracking: this.#item('tracking'),
        orderPreparations: this.#item('order_preparation'),
      },
      now: () => 0,
      apiKey: WORLD_KEY,
      faults: {
        answerFault: (request) => this.#faults.answerFault(request),
        rowShift: (request) => this.#faults.rowShift(request),
      },
    })
  }

  /** What goes wrong from now on; the same name gives the same faults. */
  misbehave(rates: FaultRates, seed: string): void {
    this.#faults = faultSource({ rates, seed })
  }

  /** The rows of the last page that was made of a list. */
  lastPage(resource: Kind): readonly Row[] {
    return this.#pages.get(resource) ?? []
  }

  /** What the last answer about an item was made of; null: there is none. */
  lastItem(resource: Kind | 'tracking', id: string): AnyFacts | null {
    return this.#items.get(`${resource} ${id}`) ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  #list(resource: Kind): Shelf {
    return {
      page: ({ skip, take }) => {
        const rows = this.desk?.page(resource, skip, Math.min(take, this.#shown?.mostRows ?? take)) ?? []
        this.#pages.set(resource, rows)
        return rows.map(({ facts }) => this.#row(facts))
      },
      find: this.#item(resource).find,
    }
  }

  #item(resource: Kind | 'tracking'): Pick<Shelf, 'find'> {
    return {
      find: (id) => {
        const facts = this.desk?.item(resource, id) ?? null
        this.#items.set(`${resource} ${id}`, facts)
        return facts === null ? null : this.#render(facts)
      },
    }
  }

  #row(facts: AnyFacts): JsonObject {
    const record = this.#render(facts)
    if (this.#shown?.random.chance(this.spoilt) !== true) return record
    const part = ['name', 'number', 'supplier_name'].find((name) => Object.hasOwn(facts, name)) ?? ''
    return { ...record, [part]: { text: 'nobody expects an object here' } }
  }

  #render(facts: JsonObject): JsonObject {
    return this.#shown === null ? facts : render(facts, this.#shown.random)
  }
}
