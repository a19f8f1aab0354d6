import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { field, textField, type Json } from '../../../src/model/json.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { listening } from '../soak/listening.ts'

/** What the proxy knows of the row at a position. */
export interface Row {
  /** `SHIPMENT/VERSION` */
  readonly key: string
  /** The bodies that it swallowed, parsed; mostly none. */
  readonly swallowed: Json[]
  hasPassed: boolean
}

export interface LosingPlan {
  readonly seed: number
  /** The share of deliveries and of watermarks that it answers and keeps to itself. */
  readonly swallows: { readonly deliveries: number; readonly watermarks: number }
  /** Who stands behind it; what it answers is the status. */
  readonly passOn: (headers: IncomingHttpHeaders, body: Buffer) => Promise<number>
}

/** A proxy that answers 200 to all, and passes most of it on. */
export class LosingProxy implements AsyncDisposable {
  readonly url: string
  /** By position. */
  readonly rows = new Map<number, Row>()
  readonly keys = new Set<string>()
  readonly problems: string[] = []
  /** Attempts beyond the first of a row. */
  repeats = 0
  swallowedWatermarks = 0
  readonly #server: Server
  readonly #plan: LosingPlan
  readonly #random
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(server: Server, url: string, plan: LosingPlan) {
    this.#server = server
    this.url = url
    this.#plan = plan
    this.#random = randomOf('swallows', plan.seed)
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        void this.#take(request.headers, Buffer.concat(chunks)).then((status) => response.writeHead(status).end())
      })
    })
  }

  static async start(plan: LosingPlan): Promise<LosingProxy> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    return new LosingProxy(server, await listening(server), plan)
  }

  /** The rows that it alone has. */
  get lost(): readonly number[] {
    return [...this.rows].filter(([, { hasPassed }]) => !hasPassed).map(([position]) => position)
  }

  /** Resolves once it has seen so many rows. */
  async took(count: number): Promise<void> {
    if (this.rows.size >= count) return
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }))
  }

  async #take(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
    const payload: Json = JSON.parse(body.toString())
    const { deliveries, watermarks } = this.#plan.swallows
    if (field(payload, 'type') === 'shipbell.watermark') {
      if (this.#random.next() >= watermarks) return await this.#plan.passOn(headers, body)
      this.swallowedWatermarks += 1
      return 200
    }
    const row = this.#rowOf(payload)
    if (this.#random.next() < deliveries) {
      row.swallowed.push(payload)
      return 200
    }
    row.hasPassed = true
    return await this.#plan.passOn(headers, body)
  }

  #rowOf(payload: Json): Row {
    const [position, key] = [Number(field(field(payload, 'delivery'), 'position')), keyOf(payload)]
    const known = this.rows.get(position)
    if (known !== undefined) {
      this.repeats += 1
      if (known.key !== key) this.problems.push(`${position} is of ${known.key} and of ${key}`)
      return known
    }
    if (this.keys.has(key)) this.problems.push(`${key} has two positions, ${position} is one of them`)
    const row = { key, swallowed: [], hasPassed: false }
    this.rows.set(position, row)
    this.keys.add(key)
    for (const { count, resolve } of this.#waiting) if (this.rows.size >= count) resolve()
    return row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** What tells apart the events of a world in which each version of a shipment is one event. */
export function keyOf(payload: Json): string {
  const subject = field(payload, 'subject')
  return `${textField(subject, 'id') ?? ''}/${Number(field(subject, 'version'))}`
}
