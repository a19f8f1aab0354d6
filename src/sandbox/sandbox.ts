import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ShipbellError } from '../errors.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import { deliveriesWorld, firstMidnight } from './data/deliveries-world.ts'
import { collectDeliveries, type Delivery } from './data/delivery.ts'
import { parseDeliveryLines } from './data/parse-delivery-lines.ts'
import { faultsHelp, parseFaultRates } from './fault-rates.ts'
import { faultSource } from './fault-source.ts'
import { platformApp } from './http/platform-app.ts'
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
  /** What the world is drawn from: one seed, number of shipments and start give one world. */
  readonly seed: string
  readonly apiKey: string
  readonly clock: { now(): number }
  /** Real deliveries to replay instead of a seeded world; `shipments` has no part in it then. */
  readonly deliveries?: readonly Delivery[]
  /** Where simulated time starts (milliseconds since the Unix epoch); default: the first day of `deliveries`, or the clock's now. */
  readonly startAt?: number
  /** How often requests go wrong, as in `FAULTS_HELP`; default: never. */
  readonly faults?: string
}

export const FAULTS_HELP = faultsHelp()

/** A running platform; its `url` is the `base_url` of an account. */
export interface Sandbox extends HttpServer {
  /** The simulated time, by which the data's dates go. */
  calendarNow(): number
}

/**
 * Serves the platform, simulated (guarantee X1). Rejects with `port_in_use` where the address cannot be bound, with
 * `usage` for deliveries without a date or faults that cannot be read.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host = '127.0.0.1', shipments, speed, seed, apiKey, clock, deliveries } = options
  const rates = parseFaultRates(options.faults ?? 'none')
  const startAt = options.startAt ?? (deliveries === undefined ? clock.now() : firstMidnight(deliveries))
  const now = simulatedClock({ clock, speed, startAt })
  const world = deliveries === undefined ? createWorld({ seed, shipments, startAt }) : deliveriesWorld(deliveries)
  const app = platformApp({ world, now, apiKey, faults: faultSource({ rates, seed }) })
  const server = await startHttpServer({
    host,
    port,
    purpose: 'The sandbox',
    remedy: 'choose another port with --port',
    fetch: async (request) => dated(await app.fetch(request), clock.now()),
  })
  return { ...server, calendarNow: now }
}

/** An answer with the date of the process's clock. Only the data goes by the simulated clock. */
function dated(answer: Response, now: number): Response {
  answer.headers.set('date', new Date(now).toUTCString())
  return answer
}

/** Time that runs `speed` times faster than the real one, from `startAt` on (milliseconds since the Unix epoch). */
function simulatedClock(options: {
  readonly clock: { now(): number }
  readonly speed: number
  readonly startAt: number
}): () => number {
  const { clock, speed, startAt } = options
  const realStart = clock.now()
  return () => Math.floor(startAt + (clock.now() - realStart) * speed)
}

/** The longest text of Node: an archive that unpacks to more is refused, not unpacked. */
const LARGEST = 256 * 1024 * 1024

/** Real deliveries of a CSV file, gzipped or plain (guarantee X2, `--data`). Throws `usage` for what cannot be replayed. */
export function readDeliveries(file: string): readonly Delivery[] {
  return collectDeliveries(parseDeliveryLines(textOf(file), file))
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file)
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ShipbellError(
      'usage',
      `--data cannot read ${file} (${reason}); name a CSV file in UTF-8, gzipped or plain.`,
      { cause: error },
    )
  }
}
