import { createServer } from 'node:http'
import { worldShipment } from './world-shipment.ts'
import { worldTracking } from './world-tracking.ts'

/** The other side of a benchmark, in a process of its own so that its work is not counted: serves pages, takes webhooks
 * (at `/hang` without ever answering, at `/close` with the last answer of a connection). */
const [count = '0'] = process.argv.slice(2)
const PAGE = 100
const pages = new Map<number, Buffer>()

function render(): void {
  for (let skip = 0; skip < Number(count); skip += PAGE) {
    const rows = Array.from({ length: Math.min(PAGE, Number(count) - skip) }, (_, row) => worldShipment(skip + row))
    pages.set(skip, Buffer.from(JSON.stringify(rows)))
  }
}

render()

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    if (request.url === '/close') response.setHeader('connection', 'close')
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
