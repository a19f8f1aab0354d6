import { createServer, type ServerResponse } from 'node:http'
import { field, type Json, type JsonObject, textField } from '../../src/model/json.ts'
import { worldShipment } from './world-shipment.ts'

/**
 * A platform whose pages show changed shipments at each request, and the receiver of what is told of them: one process, so
 * that one clock says how long that took. Each account has a page of its own, below its name, and a tenth of each second to be answered
 * in, so that changes come evenly; the account `bare` is answered at once. Any message from the parent asks for the times since the last one.
 */
const [count = '100', changes = '10'] = process.argv.slice(2)
const accounts = new Map<string, JsonObject[]>()
const answeredAt = new Map<string, number>()
let latencies: number[] = []
let answers = 0

const SECOND_MS = 1_000
const SLOT_MS = 100

function shipmentsOf(account: string): JsonObject[] {
  const shipments = accounts.get(account) ?? Array.from({ length: Number(count) }, (_, index) => worldShipment(index))
  accounts.set(account, shipments)
  return shipments
}

function waitOf(account: string): number {
  const slot = [...accounts.keys()].filter((name) => name !== 'bare').indexOf(account) * SLOT_MS
  return account === 'bare' ? 0 : (slot - (performance.now() % SECOND_MS) + SECOND_MS) % SECOND_MS
}

function nextPage(shipments: JsonObject[]): readonly Json[] {
  answers += 1
  for (let change = 0; change < Number(changes); change += 1) {
    const place = (answers * Number(changes) + change) % shipments.length
    shipments[place] = { ...shipments[place], specific_instructions: `change ${answers}` }
  }
  return shipments
}

function received(body: Json, at: number): void {
  const object = field(field(body, 'data'), 'object')
  const change = textField(object, 'specific_instructions') ?? ''
  latencies.push(at - (answeredAt.get(change) ?? Number.NaN))
}

/** Time is taken when the answer is ready to be written: to make the text of a page takes a millisecond, which is nobody's but this platform's. */
function show(response: ServerResponse, shipments: JsonObject[]): void {
  const body = bodyOf(nextPage(shipments))
  answeredAt.set(`change ${answers}`, performance.now())
  send(response, body)
}

function bodyOf(page: readonly Json[]): Buffer {
  return Buffer.from(JSON.stringify(page))
}

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const now = performance.now()
    if (request.method === 'POST') {
      response.writeHead(204).end()
      received(JSON.parse(Buffer.concat(chunks).toString()), now)
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const account = pathname.split('/')[1] ?? ''
    const shipments = shipmentsOf(account)
    if (searchParams.get('skip') !== '0') send(response, bodyOf([]))
    else setTimeout(() => show(response, shipments), waitOf(account))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => {
  process.send?.(latencies)
  latencies = []
})
process.on('disconnect', () => process.exit())
