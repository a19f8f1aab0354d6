import { createServer } from 'node:http'
import { worldShipment } from './world-shipment.ts'

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
  const skip = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('skip'))
  const page = pages.get(skip) ?? Buffer.from('[]')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length }).end(page)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
