import { createServer } from 'node:http'
import { systemClock } from '../../../src/clock.ts'
import { paperWorld } from './paper-world.ts'

/**
 * A platform of many shipments that never change, in a process of its own. It renders each answer when it is first asked for,
 * and reports what it was asked: `Asked`, in an answer to any message from its parent.
 */
export interface Asked {
  /** Milliseconds since the Unix epoch, of the first request since the last message; null: none. */
  readonly firstAt: number | null
  /** Complete passes over the list, and different trackings, since the start. */
  readonly passes: number
  readonly trackings: number
  /** Bytes of all answers as they would be if each was given once. */
  readonly bytes: number
}

const PAGE = 100
const [shipments = 0, live = 0] = process.argv.slice(2).map(Number)
const world = paperWorld({ shipments, live, now: systemClock.now() })
const numbers = new Map(world.ids.map((id, n) => [id, n]))
const answers = new Map<string, Buffer>()
let firstAt: number | null = null
let passes = 0
let trackings = 0
let bytes = 0

function render(pathname: string, skip: number): Buffer | null {
  const [, id] = pathname.split('/v1/tracking/')
  const n = id === undefined ? 0 : numbers.get(id)
  if (n === undefined) return null
  if (id !== undefined) trackings += 1
  const rows = Array.from({ length: Math.min(PAGE, Math.max(0, shipments - skip)) }, (_, row) => skip + row)
  return Buffer.from(JSON.stringify(id === undefined ? rows.map((row) => world.shipment(row)) : world.tracking(n)))
}

function answer(pathname: string, skip: number): Buffer | null {
  const key = `${pathname} ${skip}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const body = render(pathname, skip)
  if (body === null) return null
  bytes += body.length
  answers.set(key, body)
  return body
}

const server = createServer((request, response) => {
  firstAt ??= systemClock.now()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const skip = Number(searchParams.get('skip') ?? 0)
  const body = answer(pathname, skip)
  if (pathname === '/v1/shipments' && skip >= shipments) passes += 1
  if (body === null) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => {
  process.send?.({ firstAt, passes, trackings, bytes } satisfies Asked)
  firstAt = null
})
process.on('disconnect', () => process.exit())
