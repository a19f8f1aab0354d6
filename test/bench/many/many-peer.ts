import { createServer } from 'node:http'
import { systemClock } from '../../../src/clock.ts'

/** What happens next: nothing, or all shipments get another status. */
export type ManyMessage = 'asked' | 'change'

/** What the platform and receiver of many saw since the last message. */
export interface ManySeen {
  /** Milliseconds since the Unix epoch of each request of the platform's, in their order. */
  readonly askedAt: readonly number[]
  /** Events that came. */
  readonly events: number
}

/**
 * The platform of many accounts, told apart by their keys, each with the same short list of shipments, and the receiver of many
 * subscriptions, in a process of its own. It reports `ManySeen` in an answer to any message from its parent.
 */
const SHIPMENTS = 20
const STATUSES = ['booked', 'in_progress']

let status = 0
let page = render()
let askedAt: number[] = []
let events = 0

function render(): string {
  const list = Array.from({ length: SHIPMENTS }, (_, n) => ({
    platform_shipment_id: `SHP-${n}`,
    name: `Shipment ${n}`,
    status: n === 0 ? STATUSES[status] : 'booked',
    freight_mode: 'ocean',
    main_tracking_dates: { arrival_date: { date: '2027-03-05T00:00:00Z', status: 'estimated' } },
  }))
  return JSON.stringify(list)
}

const server = createServer((request, response) => {
  request.resume()
  if (request.method === 'POST') {
    events += 1
    response.writeHead(200).end()
    return
  }
  askedAt.push(systemClock.now())
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const isFirst = Number(searchParams.get('skip') ?? 0) === 0
  response.writeHead(200, { 'content-type': 'application/json' }).end(isFirst ? page : '[]')
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', (message: ManyMessage) => {
  if (message === 'change') status = 1 - status
  page = render()
  process.send?.({ askedAt, events } satisfies ManySeen)
  askedAt = []
  events = 0
})
process.on('disconnect', () => process.exit())
