import { createServer } from 'node:http'
import { field, type Json, textField } from '../../src/model/json.ts'
import { worldShipment } from './world-shipment.ts'

/**
 * A platform whose page shows changed shipments at each request, and the receiver of what is told of them: one process, so
 * that one clock says how long that took. Any message from the parent asks for the times since the last one.
 */
const [count = '100', changes = '10'] = process.argv.slice(2)
const shipments = Array.from({ length: Number(count) }, (_, index) => worldShipment(index))
const answeredAt = new Map<string, number>()
let latencies: number[] = []
let answers = 0

function nextPage(): readonly Json[] {
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
    const skip = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('skip'))
    const page = Buffer.from(JSON.stringify(skip === 0 ? nextPage() : []))
    if (skip === 0) answeredAt.set(`change ${answers}`, performance.now())
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length }).end(page)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => {
  process.send?.(latencies)
  latencies = []
})
process.on('disconnect', () => process.exit())
