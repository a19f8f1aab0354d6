import { deliveriesWorld } from './data/deliveries-world.ts'
import type { Delivery } from './data/delivery.ts'
import { firstMidnight } from './data/first-midnight.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import { FAULT_PROFILES, type FaultRates } from './faults/fault-rates.ts'
import { faultSource } from './faults/fault-source.ts'
import { platformApp } from './http/platform-app.ts'
import { simulatedClock } from './simulated-clock.ts'
import { createWorld } from './world/world.ts'

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** How many shipments exist at the start; more are created as time goes by. */
  readonly shipments: number
  /** Simulated seconds per real second. */
  readonly speed: number
  /** The same seed, shipments and start give the same world. */
  readonly seed: string
  readonly apiKey: string
  readonly clock: { now(): number }
  /** Real deliveries to replay instead of a seeded world; `shipments` has no part in it then. */
  readonly deliveries?: readonly Delivery[]
  /** Where simulated time starts (milliseconds since the Unix epoch); default: the first day of `deliveries`, or the clock's now. */
  readonly startAt?: number
  /** How often requests go wrong; default: never. */
  readonly faults?: FaultRates
}

/** A running platform; its `url` is the `base_url` of an account. */
export interface Sandbox extends HttpServer {
  /** The simulated time, by which the data's dates go. */
  calendarNow(): number
}

/**
 * Serves the platform, simulated (guarantee X1). Rejects with `port_in_use` where the address cannot be bound, with
 * `usage` for deliveries without a date.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    port,
    host = '127.0.0.1',
    shipments,
    speed,
    seed,
    apiKey,
    clock,
    deliveries,
    faults = FAULT_PROFILES.none,
  } = options
  const startAt = options.startAt ?? (deliveries === undefined ? clock.now() : firstMidnight(deliveries))
  const now = simulatedClock({ clock, speed, startAt })
  const world = deliveries === undefined ? createWorld({ seed, shipments, startAt }) : deliveriesWorld(deliveries)
  const app = platformApp({ world, now, apiKey, faults: faultSource({ rates: faults, seed }) })
  const server = await startHttpServer({
    host,
    port,
    purpose: 'The sandbox',
    remedy: 'choose another port with --port',
    fetch: async (request) => dated(await app.fetch(request), clock.now()),
  })
  return { ...server, calendarNow: now }
}

/** By the clock of its process and not by the simulated one, which only the data goes by. */
function dated(answer: Response, now: number): Response {
  answer.headers.set('date', new Date(now).toUTCString())
  return answer
}
