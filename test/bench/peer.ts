import { createServer } from 'node:http'
import { worldShipment } from './world-shipment.ts'
import { worldTracking } from './world-tracking.ts'

/** The other side of a benchmark, in a process of its own so that its work is not counted: serves pages, takes webhooks
 * (at `/hang` without ever answering). */
const [count = '0'] = process.argv.slice(2)
const shipments = Array.from({ length: Number(count) }, (_, index) => worldShipment(index))
const pages = new Map<number, Buffer>()
for (let skip = 0; skip <= shipments.length; skip += 100) {
  pages.set(skip, Buffer.from(JSON.stringify(shipments.slice(skip, skip + 100))))
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    if (request.url !== '/hang') request.on('end', () => response.writeHead(204).end())
    request.resume()
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [, id] = pathname.split('/v1/tracking/')
  const page = pages.get(Number(searchParams.get('skip'))) ?? Buffer.from('[]')
  const body = id === undefined ? page : Buffer.from(JSON.stringify(worldTracking(id)))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
