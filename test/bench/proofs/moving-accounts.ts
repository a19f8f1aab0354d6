import { createServer, type Server } from 'node:http'
import type { JsonObject } from '../../../src/model/json.ts'
import { listening } from '../soak/listening.ts'

/** What becomes of one shipment in a round: each is one event. */
export type Move = { readonly etaHours: number } | 'status' | 'forwarder'

/** One move of a shipment, and what must ring of it. */
export interface Change {
  readonly account: string
  /** The place of the shipment among those of its account. */
  readonly nth: number
  readonly id: string
  readonly version: number
  readonly type: 'shipment.eta_changed' | 'shipment.status_changed' | 'shipment.updated'
  readonly mode: string
  /** The arrival in hours, before and after. */
  readonly from: number
  readonly to: number
  readonly at: number
}

interface Shipment {
  readonly id: string
  readonly mode: string
  version: number
  etaHours: number
  isBooked: boolean
  forwarder: number
}

const PAGE = 100
/** Far enough that no calendar comes by. */
const ERA = Date.UTC(2040, 0, 1)
const HOUR_MS = 3_600_000

/** Accounts with as many shipments each, all of which move at once, each at a path of its own. */
export class MovingAccounts implements AsyncDisposable {
  readonly url: string
  readonly #server: Server
  readonly #shipments: ReadonlyMap<string, readonly Shipment[]>
  readonly #pages = new Map<string, string>()
  /** Requests of each account. */
  readonly asked = new Map<string, number>()

  private constructor(server: Server, url: string, plan: MovingPlan) {
    this.url = url
    this.#server = server
    this.#shipments = new Map(
      plan.accounts.map((account) => [
        account,
        Array.from({ length: plan.shipments }, (_, nth) => ({
          id: `${account}-${nth}`,
          mode: plan.modes[nth % plan.modes.length] ?? 'ocean',
          version: 0,
          etaHours: 0,
          isBooked: true,
          forwarder: 0,
        })),
      ]),
    )
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const account = pathname.split('/')[1] ?? ''
      this.asked.set(account, (this.asked.get(account) ?? 0) + 1)
      const page = pathname.endsWith('/v1/shipments') ? this.#page(account, Number(searchParams.get('skip'))) : '[]'
      response.writeHead(200, { 'content-type': 'application/json' }).end(page)
    })
  }

  static async start(plan: MovingPlan): Promise<MovingAccounts> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    return new MovingAccounts(server, await listening(server), plan)
  }

  /** Moves every shipment, by what `moveOf` says of its place. */
  move(moveOf: (nth: number) => Move, at: number): readonly Change[] {
    this.#pages.clear()
    return [...this.#shipments].flatMap(([account, own]) =>
      own.map((shipment, nth) => {
        const { etaHours: from, id, mode } = shipment
        const type = moved(shipment, moveOf(nth))
        shipment.version += 1
        return { account, nth, id, version: shipment.version, type, mode, from, to: shipment.etaHours, at }
      }),
    )
  }

  #page(account: string, skip: number): string {
    const key = `${account} ${skip}`
    const page =
      this.#pages.get(key) ??
      JSON.stringify((this.#shipments.get(account) ?? []).slice(skip, skip + PAGE).map(recordOf))
    this.#pages.set(key, page)
    return page
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

export interface MovingPlan {
  readonly accounts: readonly string[]
  /** Of each account. */
  readonly shipments: number
  /** The shipments of an account take turns with them. */
  readonly modes: readonly string[]
}

function moved(shipment: Shipment, move: Move): Change['type'] {
  switch (move) {
    case 'status':
      shipment.isBooked = !shipment.isBooked
      return 'shipment.status_changed'
    case 'forwarder':
      shipment.forwarder += 1
      return 'shipment.updated'
    default:
      shipment.etaHours += move.etaHours
      return 'shipment.eta_changed'
  }
}

function recordOf({ etaHours, forwarder, id, isBooked, mode }: Shipment): JsonObject {
  return {
    platform_shipment_id: id,
    name: `Shipment ${id}`,
    status: isBooked ? 'booked' : 'in_progress',
    freight_mode: mode,
    main_forwarder: `Forwarder ${forwarder}`,
    main_tracking_dates: {
      arrival_date: { date: new Date(ERA + etaHours * HOUR_MS).toISOString(), status: 'estimated' },
    },
  }
}
