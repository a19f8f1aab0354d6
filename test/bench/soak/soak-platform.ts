import { createServer, type Server } from 'node:http'
import type { JsonObject } from '../../../src/model/json.ts'
import { worldShipment } from '../world-shipment.ts'
import { listening } from './listening.ts'

const SHIPMENTS = 500
const PAGE = 100
const STEP_MS = 100
/** One in so many changes is of another kind than the others. */
const RARE = 25

/** A platform whose shipments change at an even pace, once that is started, and that hangs up on an idle client. */
export class SoakPlatform implements AsyncDisposable {
  readonly #shipments: JsonObject[] = Array.from({ length: SHIPMENTS }, (_, n) => worldShipment(n))
  readonly #server: Server
  readonly url: string
  changes = 0
  #changing: NodeJS.Timeout | null = null

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
  }

  static async start(): Promise<SoakPlatform> {
    const server = createServer()
    // Shorter than what lies between two passes.
    server.keepAliveTimeout = 300
    const platform = new SoakPlatform(server, await listening(server))
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const skip = Number(searchParams.get('skip'))
      const rows = pathname === '/v1/shipments' ? platform.#shipments.slice(skip, skip + PAGE) : []
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows))
    })
    return platform
  }

  startChanging(perSecond: number): void {
    this.#changing = setInterval(() => {
      for (let change = 0; change < (perSecond * STEP_MS) / 1_000; change += 1) this.#change()
    }, STEP_MS)
  }

  stopChanging(): void {
    if (this.#changing !== null) clearInterval(this.#changing)
  }

  #change(): void {
    const at = this.changes % SHIPMENTS
    const round = `round ${this.changes}`
    const rare = this.changes % RARE === 0
    this.#shipments[at] = { ...this.#shipments[at], [rare ? 'invoice_status' : 'specific_instructions']: round }
    this.changes += 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopChanging()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
