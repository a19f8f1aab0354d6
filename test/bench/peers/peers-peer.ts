import { createServer, type ServerResponse } from 'node:http'
import { field, type JsonObject, textField } from '../../../src/model/json.ts'
import { worldShipment } from '../world-shipment.ts'

/** `change`: every shipment changes. Each message is answered by what came since the last change. */
export type PeersMessage = 'change' | 'seen'

export interface PeersSeen {
  /** Requests for shipments. */
  readonly asked: number
  /** POSTs, and shipments that they told of. */
  readonly posts: number
  readonly told: number
  /** When the first answer showed the change and the last POST came, in milliseconds of this process's clock. */
  readonly firstAt: number
  readonly lastAt: number
}

const [count = 0] = process.argv.slice(2).map(Number)
let round = 0
let shipments = Array.from({ length: count }, (_, n) => shipment(n))
let told = new Set<string>()
let [asked, posts, firstAt, lastAt] = [0, 0, 0, 0]

function shipment(n: number): JsonObject {
  return { ...worldShipment(n), specific_instructions: `Ramp ${round} is closed on Fridays after three.` }
}

function change(): void {
  round += 1
  shipments = Array.from({ length: count }, (_, n) => shipment(n))
  told = new Set()
  ;[asked, posts, firstAt, lastAt] = [0, 0, 0, 0]
}

function show(path: string, response: ServerResponse): void {
  const url = new URL(path, 'http://localhost')
  const [, one] = /^\/one\/(\d+)$/.exec(url.pathname) ?? []
  const skip = Number(url.searchParams.get('skip'))
  // For those who compare lines.
  const body =
    one === undefined
      ? JSON.stringify(shipments.slice(skip, skip + 100))
      : JSON.stringify(shipments[Number(one)], null, 1)
  if (asked === 0) firstAt = performance.now()
  asked += 1
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

/** A payload of Shipbell has the shipment in `data`; Node-RED posts the shipment; urlwatch posts a text. */
function receive(text: string): void {
  posts += 1
  lastAt = performance.now()
  const body: JsonObject = JSON.parse(text)
  const id =
    textField(field(field(body, 'data'), 'object'), 'platform_shipment_id') ?? textField(body, 'platform_shipment_id')
  if (id !== null) told.add(id)
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return show(request.url ?? '/', response)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    receive(Buffer.concat(chunks).toString())
    response.end('ok')
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', (message: PeersMessage) => {
  if (message === 'change') change()
  process.send?.({ asked, posts, told: told.size, firstAt, lastAt } satisfies PeersSeen)
})
process.on('disconnect', () => process.exit())
